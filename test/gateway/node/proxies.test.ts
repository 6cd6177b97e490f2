import { createServer } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { AddressInfo } from 'node:net';
import { connect, createServer as createHttp2Server } from 'node:http2';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { toNodeHandler } from '../../../src/server/gateway/node/to-node-handler.js';
import { trustedProxies } from '../../../src/server/gateway/node/trusted-proxies.js';

const origin = async (request: Request): Promise<Response> =>
  new Response(`${new URL(request.url).origin} ${await request.text()}`, {
    headers: { connection: 'close' },
  });

/** The origin that a gateway sees of a request with such headers, from this machine. */
const seen = async (trustProxies: readonly string[], headers: Record<string, string>): Promise<string> => {
  const server = createServer(toNodeHandler({ fetch: origin }, { trustProxies })).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/`, { headers });
  return (await answer.text()).trim().replace(String(port), 'PORT');
};

const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'evil.example, app.example' };

describe('T10 links behind a proxy', () => {
  it('come from headers of a proxy that is trusted, and of no one else', async () => {
    expect(await seen([], forwarded)).toBe('http://127.0.0.1:PORT');
    expect(await seen(['10.0.0.0/8'], forwarded)).toBe('http://127.0.0.1:PORT');
    expect(await seen(['10.0.0.0/8', '127.0.0.1'], forwarded)).toBe('https://app.example');
    expect(await seen(['127.0.0.0/8'], { 'x-forwarded-proto': 'javascript' })).toBe('http://127.0.0.1:PORT');
    const standard = {
      forwarded: 'for=1.2.3.4;host=evil.example, for=10.0.0.1;Proto=https;Host="app.example:8443"',
    };
    expect(await seen(['127.0.0.1'], { ...forwarded, ...standard })).toBe('https://app.example:8443');
  });

  it('are of addresses of both families, and what is none is refused', () => {
    const proxies = trustedProxies(['127.0.0.1', 'fd00::/8']);
    const headers = { 'x-forwarded-host': 'app.example' };
    expect(proxies('::ffff:127.0.0.1', headers).host).toBe('app.example');
    expect(proxies('fd12::1', headers).host).toBe('app.example');
    expect([proxies('::1', headers), proxies(undefined, headers)]).toEqual([{}, {}]);
    for (const address of ['proxy.local', '10.0.0.0/33', '10.0.0.0/x', ''])
      expect(() => trustedProxies([address])).toThrow('A proxy is an address or a network');
  });
});

it('T10 serves HTTP/2, whose bodies need no length', async () => {
  const server = createHttp2Server(toNodeHandler({ fetch: origin })).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const session = connect(`http://127.0.0.1:${port}`);
  const stream = session.request({ ':method': 'POST', ':path': '/' });
  stream.end('a body');
  expect(await text(stream)).toBe(`http://127.0.0.1:${port} a body`);
  session.close();
  server.close();
});
