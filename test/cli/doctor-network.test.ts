import { accountWithSocket, at, examined } from './helpers/examined.js';
import { tlsServer } from '../helpers/tls-server.js';
import { describe, expect, it } from 'vitest';
import { proxyServer } from '../helpers/proxy-server.js';

/** A name that only a proxy knows, by http: for once. */
const inClear = { ...at('http://service.example'), PROMPTWIRE_ALLOW_CLEAR_TEXT: '1' };

describe('promptwire doctor, of what stands between', () => {
  it('says that a name has no address', async () => {
    // A label of a name has 63 characters at most, so that no name server is asked.
    const { firstFailed } = await examined([], { ...inClear, ...at(`http://${'x'.repeat(64)}.example`) });
    expect(firstFailed?.check).toBe('dns');
  });

  it('says that a proxy does not take connections', async () => {
    const { firstFailed } = await examined([], {
      ...inClear,
      HTTP_PROXY: 'http://127.0.0.1:1',
    });
    expect(firstFailed).toMatchObject({
      check: 'proxy',
      fix: expect.stringContaining('NO_PROXY') as unknown,
    });
  });

  it('says that a certificate is not trusted', async () => {
    await using server = await tlsServer(() => undefined);
    const { firstFailed } = await examined([], at(server.url));
    expect(firstFailed).toMatchObject({
      check: 'tls',
      fix: expect.stringContaining('NODE_EXTRA_CA_CERTS') as unknown,
    });
  });

  it.each([
    ['with', 'http://'],
    ['without', ''],
  ])('finds nothing wrong with a service behind a proxy, %s a scheme', async (_, scheme) => {
    await using proxy = await proxyServer('me:word-of-the-proxy');
    proxy.leadsTo = await accountWithSocket('{"type":"status","data":{}}');
    const { of, lines, text } = await examined([], {
      ...inClear,
      HTTP_PROXY: `${scheme}me:word-of-the-proxy@127.0.0.1:${proxy.port}`,
    });
    expect(lines.filter(({ status }) => status === 'failed')).toEqual([]);
    expect(of('proxy')).toMatchObject({
      status: 'ok',
      message: `everything goes through 127.0.0.1:${proxy.port}`,
    });
    expect(['dialect', 'key', 'socket'].map((check) => of(check)?.status)).toEqual(['ok', 'ok', 'ok']);
    expect(proxy.asked.length).toBeGreaterThan(3);
    expect(proxy.asked.filter(({ target }) => !target.includes('service.example'))).toEqual([]);
    expect(text).not.toContain('word-of-the-proxy');
  });

  it('says that a proxy refuses the login', async () => {
    await using proxy = await proxyServer('me:word-of-the-proxy');
    const { firstFailed, text } = await examined([], {
      ...inClear,
      HTTP_PROXY: `http://me:another-word@127.0.0.1:${proxy.port}`,
    });
    expect(firstFailed).toMatchObject({
      check: 'proxy',
      message: expect.stringContaining('407') as unknown,
      fix: expect.stringContaining('user and password') as unknown,
    });
    expect(text).not.toContain('another-word');
  });

  it.each([
    ['https:', 'failed'],
    ['http:', 'warning'],
  ])('says that a proxy opens no tunnel, and what that means for %s', async (protocol, status) => {
    await using proxy = await proxyServer();
    proxy.refusal = 403;
    const { of } = await examined([], {
      ...inClear,
      ...at(`${protocol}//service.example`),
      ALL_PROXY: proxy.url,
    });
    expect(of('proxy')).toMatchObject({
      status,
      message: expect.stringContaining('403') as unknown,
      fix: expect.stringContaining('NO_PROXY') as unknown,
    });
  });
});
