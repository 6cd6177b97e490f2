import { describe, expect, it } from 'vitest';
import { type NodeRequest, requestOf } from '../../../src/server/gateway/node/node-request.js';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { trustedProxies } from '../../../src/server/gateway/node/trusted-proxies.js';

interface Played {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly socket?: object;
  readonly [member: string]: unknown;
}

const { signal } = new AbortController();

/** What the gateway gets of a request of Node.js with these members. */
const seen = (played: Played, trusted: readonly string[] = []) => {
  const { headers = {}, socket = {} } = played;
  const headersDistinct = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
  const members = { method: 'GET', url: '/a?b=1', httpVersionMajor: 1, headersDistinct, ...played };
  const incoming = Object.assign(Readable.from([new TextEncoder().encode('a body')]), {
    ...{ ...members, headers, socket },
  });
  return requestOf(incoming as unknown as NodeRequest, signal, trustedProxies(trusted));
};
const urlOf = (...args: Parameters<typeof seen>): string => {
  const request = seen(...args);
  return typeof request === 'string' ? request : request.url;
};

describe('the address of a request', () => {
  it.each([
    [{ headers: { host: 'h:80' } }, 'http://h/a?b=1'],
    [{ headers: { host: 'h' }, socket: { encrypted: true } }, 'https://h/a?b=1'],
    [{ headers: { host: 'h' }, socket: { encrypted: 'true' } }, 'http://h/a?b=1'],
    [{ headers: { ':authority': 'two' } }, 'http://two/a?b=1'],
    [{ headers: { host: 'h', ':authority': 'two' } }, 'http://h/a?b=1'],
    [{}, 'http://localhost/a?b=1'],
    [{ url: undefined }, 'http://localhost/'],
    [{ url: 'a' }, 'http://localhost/a'],
    [{ originalUrl: '/mount/a', url: '/a' }, 'http://localhost/mount/a'],
    [{ url: '//evil.example/a' }, 'http://localhost//evil.example/a'],
    [{ headers: { host: 'a b' } }, 'address'],
    ...[
      ...['/jobs/%2e%2e/events', '/jobs/%2E./events', '/jobs/.%2e', '/jobs/..', '/jobs/./events', '/..?a'],
      ...['/jobs/%2e/events', '/a/b\\..\\events', '/comfy/%2e%2e/%2e%2e/events', '/..#a'],
    ].map((url): [Played, string] => [{ url }, 'dots']),
    [{ originalUrl: '/mount/../a', url: '/a' }, 'dots'],
    [{ url: '/jobs/...?a=/../b' }, 'http://localhost/jobs/...?a=/../b'],
    [{ url: '/jobs/%2e%2e%2e/.a' }, 'http://localhost/jobs/%2e%2e%2e/.a'],
    [{ headers: { host: 'h/path' } }, 'http://h/a?b=1'],
  ] as [Played, string][])('of %j is %s', (played, url) => {
    expect(urlOf(played)).toBe(url);
  });

  it('is that which a trusted proxy tells', () => {
    const socket = { remoteAddress: '10.0.0.7' };
    const headers = { host: 'h', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'app.example' };
    expect([urlOf({ headers, socket }), urlOf({ headers, socket }, ['10.0.0.0/8'])]).toEqual([
      ...['http://h/a?b=1', 'https://app.example/a?b=1'],
    ]);
    const one = { headers: { host: 'h', 'x-forwarded-proto': 'HTTPS' }, socket };
    expect(urlOf(one, ['10.0.0.7'])).toBe('https://h/a?b=1');
    const other = {
      headers: { host: 'h', forwarded: 'host=f.example', 'x-forwarded-proto': 'https' },
      socket,
    };
    expect(urlOf(other, ['10.0.0.7'])).toBe('http://f.example/a?b=1');
  });
});

describe('the headers of a request', () => {
  const named = (played: Played) => Object.fromEntries((seen(played) as Request).headers);

  it('are all of them, each of its values, but for those of HTTP/2 itself', () => {
    const headersDistinct = { 'x-a': ['1', '2'], 'x-b': ['3'], 'x-c': undefined };
    expect(named({ headersDistinct })).toEqual({ 'x-a': '1, 2', 'x-b': '3' });
    const overHttp2 = { ':path': '/a', 'x-a': '1' };
    expect(named({ headersDistinct: undefined, headers: overHttp2 })).toEqual({ 'x-a': '1' });
  });
});

describe('the body of a request', () => {
  const read = async (played: Played) => {
    const request = seen(played);
    return typeof request === 'string' ? request : request.body && (await request.text());
  };

  it.each([
    ['GET', {}, 1, null],
    ['GET', { 'content-length': '6' }, 1, null],
    ['HEAD', { 'content-length': '6' }, 1, null],
    ['POST', {}, 1, null],
    ['POST', { 'content-length': '0' }, 1, null],
    ['POST', { 'content-length': '6' }, 1, 'a body'],
    ['DELETE', { 'content-length': '6' }, 1, 'a body'],
    ['POST', { 'transfer-encoding': 'chunked' }, 1, 'a body'],
    ['POST', {}, 2, 'a body'],
    ['POST', { 'content-length': '0' }, 2, null],
    [undefined, { 'content-length': '6' }, 1, null],
  ] as [string | undefined, Readonly<Record<string, string>>, number, string | null][])(
    'of %s with %j over HTTP/%i is %j',
    async (method, headers, httpVersionMajor, body) => {
      expect(await read({ method, headers, httpVersionMajor })).toBe(body);
    },
  );
});

it('a body that is left lets the rest of the request go by, and does not end the connection', async () => {
  const members = { method: 'POST', url: '/', headers: { 'transfer-encoding': 'chunked' }, socket: {} };
  const incoming = Object.assign(Readable.from([1, 2, 3].map((byte) => new Uint8Array([byte]))), {
    ...{ ...members, headersDistinct: {}, httpVersionMajor: 1 },
  });
  const request = requestOf(incoming as unknown as NodeRequest, signal, trustedProxies([])) as Request;
  const reader = request.body!.getReader();
  expect((await reader.read()).value).toEqual(new Uint8Array([1]));
  await reader.cancel();
  expect(incoming.destroyed).toBe(false);
  // As the handler does after an early answer.
  incoming.resume();
  await once(incoming, 'end');
  expect(incoming.readableEnded).toBe(true);
});
