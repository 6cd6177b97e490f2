import { chmod } from 'node:fs/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { proxyServer } from '../helpers/proxy-server.js';
import { workspace } from './helpers/workspace.js';

const secret = 'gateway-9f86d081';

describe('--header', () => {
  it('goes with every call, from the arguments and from a file that only its owner can read', async () => {
    const { cli, emulator, file } = await workspace();
    const headers = await file('headers', `# of the gateway\n\nX-Gateway: ${secret}\r\n`);
    const argv = ['user', '--header', 'X-First: Token a:b', `--header=@${headers}`];
    expect(await cli(argv).exit).toBe(0);
    expect(emulator.requests.map((request) => request.headers)).toMatchObject([
      { 'x-first': 'Token a:b', 'x-gateway': secret },
    ]);
    await chmod(headers, 0o644);
    const open = cli(argv);
    expect(await open.exit).toBe(2);
    expect(open.stderr()).toContain(`chmod 600 ${headers}`);
  });

  it.each([
    ['--header', `Bearer ${secret}`],
    ['--header', `x y: ${secret}`],
    ['--header', `host: ${secret}`],
    ['--header', `x-api-key: ${secret}`],
    [`--header=x-a: ${secret}`, `--no-such-option=${secret}`],
    ['--header', `x-a: Bearer ${secret}`, `--no-such-option=${secret}`],
  ])('is a usage error, and shows no value: %s %s', async (...flags) => {
    const { cli, asked } = await workspace();
    const running = cli(['user', ...flags]);
    expect(await running.exit).toBe(2);
    expect(running.stderr()).not.toBe('');
    expect(running.stdout() + running.stderr()).not.toContain(secret);
    expect(asked()).toEqual([]);
  });
});

describe('a proxy of the environment', () => {
  it('is asked for the service, and its refusal reported without its password', async () => {
    const proxy = await proxyServer('user:right');
    onTestFinished(() => proxy[Symbol.asyncDispose]());
    const { cli } = await workspace();
    const running = cli(['user'], {
      env: {
        PROMPTWIRE_BASE_URL: 'https://service.example',
        HTTPS_PROXY: `http://user:wrong-password@127.0.0.1:${proxy.port}`,
      },
    });
    expect(await running.exit).toBe(12);
    expect(proxy.asked.map(({ target }) => target)).toEqual(['service.example:443']);
    expect(running.stderr()).toContain('407');
    expect(running.stdout() + running.stderr()).not.toContain('wrong-password');
  });

  it('is left aside for a service on this machine', async () => {
    const { cli } = await workspace();
    expect(
      await cli(['user'], { env: { HTTP_PROXY: 'http://127.0.0.1:9', ALL_PROXY: '127.0.0.1:9' } }).exit,
    ).toBe(0);
  });

  it('that is none is a usage error that names the variable and shows no password', async () => {
    const { cli, asked } = await workspace();
    const running = cli(['user'], { env: { https_proxy: 'socks5://user:hidden-password@127.0.0.1:9' } });
    expect(await running.exit).toBe(2);
    expect(running.stderr()).toContain('HTTPS_PROXY');
    expect(running.stderr()).not.toContain('hidden-password');
    expect(asked()).toEqual([]);
  });
});
