import { describe, expect, it } from 'vitest';
import { inspect } from 'node:util';
import { proxyAgent, proxyFromEnv } from '../../../src/node.js';
import { TunnelAgent } from '../../../src/core/platform/node/tunnel.js';

const proxy = 'http://proxy.example:3128';

/** How a program reaches an address in this environment: by which variable's proxy, or directly. */
const way = (env: Readonly<Record<string, string>>, address: string): string => {
  const agent = proxyFromEnv(env)?.(new URL(address));
  if (agent === undefined) return 'directly';
  return agent instanceof TunnelAgent
    ? `clear by ${agent.forward(new URL('http://a')).host ?? ''}`
    : 'encrypted';
};

describe('a proxy of the environment', () => {
  it.each([
    [{}, 'https://a.example', 'directly'],
    [{ HTTPS_PROXY: proxy }, 'https://a.example', 'encrypted'],
    [{ HTTPS_PROXY: proxy }, 'wss://a.example', 'encrypted'],
    [{ HTTPS_PROXY: proxy }, 'http://a.example', 'directly'],
    [{ HTTP_PROXY: proxy }, 'http://a.example', 'clear by proxy.example'],
    [{ HTTP_PROXY: proxy }, 'ws://a.example', 'clear by proxy.example'],
    [{ HTTP_PROXY: proxy }, 'https://a.example', 'directly'],
    [{ ALL_PROXY: proxy }, 'https://a.example', 'encrypted'],
    [{ ALL_PROXY: proxy }, 'ws://a.example', 'clear by proxy.example'],
    [{ ALL_PROXY: proxy, HTTP_PROXY: 'other.example' }, 'http://a.example', 'clear by other.example'],
    [{ http_proxy: 'http://lower.example', HTTP_PROXY: proxy }, 'http://a.example', 'clear by lower.example'],
    [{ http_proxy: '', HTTP_PROXY: proxy }, 'http://a.example', 'directly'],
    [{ HTTP_PROXY: 'user:secret@[::1]:8080' }, 'http://a.example', 'clear by ::1'],
    [{ HTTPS_PROXY: ' ' }, 'https://a.example', 'directly'],
  ])('%j: %s is reached %s', (env, address, expected) => {
    expect(way(env, address)).toBe(expected);
  });

  it.each([
    ['*', 'https://a.example', true],
    ['a.example', 'https://a.example', true],
    ['A.Example.', 'https://a.example', true],
    ['a.example', 'https://b.a.example', true],
    ['.a.example', 'https://b.a.example', true],
    ['*.a.example', 'https://b.a.example', true],
    ['a.example', 'https://ba.example', false],
    ['b.a.example', 'https://a.example', false],
    ['b.example, a.example', 'https://a.example', true],
    ['b.example a.example', 'https://a.example', true],
    ['a.example:443', 'https://a.example', true],
    ['a.example:443', 'wss://a.example', true],
    ['a.example:8443', 'https://a.example', false],
    ['a.example:8443', 'https://a.example:8443', true],
    ['10.0.0.1', 'https://10.0.0.1', true],
    ['[fd00::1]:443', 'https://[fd00::1]', true],
    ['fd00::1', 'https://[fd00::1]', true],
    ['', 'https://a.example', false],
    [',', 'https://a.example', false],
    ['', 'https://localhost:8188', true],
    ['', 'http://127.0.0.1:8188', true],
    ['', 'http://[::1]:8188', true],
  ])('NO_PROXY=%s: %s is reached directly: %s', (NO_PROXY, address, isDirect) => {
    expect(way({ ALL_PROXY: proxy, NO_PROXY }, address) === 'directly').toBe(isDirect);
  });

  it.each(['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY'])('in %s that is none is InvalidConfig', (option) => {
    const make = (): unknown => proxyFromEnv({ [option]: 'socks5://user:secret@proxy.example' });
    expect(make).toThrow(expect.objectContaining({ _tag: 'InvalidConfig', option }) as Error);
    expect(make).not.toThrow(/secret|proxy\.example/u);
  });
});

describe('a proxy of the options', () => {
  it.each(['', 'ftp://proxy.example', 'http://', 'http://%:%@proxy.example', 'http://proxy.example:port'])(
    'is InvalidConfig as %s',
    (address) => {
      expect(() => proxyAgent(address)).toThrow(
        expect.objectContaining({ _tag: 'InvalidConfig', option: 'agent' }) as Error,
      );
    },
  );

  it.each([
    ['https://proxy.example', 443],
    ['http://proxy.example', 80],
    ['proxy.example', 80],
    ['https://proxy.example:8443', 8_443],
  ])('has the port of its scheme unless it names one: %s', (address, port) => {
    const agent = proxyAgent(address)(new URL('http://a.example')) as TunnelAgent;
    expect(agent.forward(new URL('http://a.example')).port).toBe(port);
  });

  it('H1: shows its password to no inspection', () => {
    const agent = proxyAgent('http://user:the-password@proxy.example');
    for (const address of ['http://a.example', 'https://a.example']) {
      const shown = inspect([agent, agent(new URL(address))], { depth: 9, showHidden: true });
      expect(shown).not.toMatch(/the-password|dXNlcjp0aGUtcGFzc3dvcmQ/u);
    }
  });
});
