import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, it, vi } from 'vitest';
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { type Proxy, SecureTunnelAgent, TunnelAgent } from '../../../src/core/platform/node/tunnel.js';
import { request } from 'node:https';

/** A proxy that gives one answer to each request for a tunnel, or none where that is empty, and writes nothing else into it. */
const silentProxy = async (answer = '200 Connection established', more = '') => {
  const connections: Socket[] = [];
  const heads: string[] = [];
  const server = createServer((socket) => {
    connections.push(socket);
    socket.on('error', () => undefined);
    socket.once('data', (bytes: Buffer) => {
      heads.push(bytes.toString());
      if (answer !== '') socket.write(`HTTP/1.1 ${answer}\r\n\r\n${more}`);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    connections,
    heads,
    [Symbol.asyncDispose]: async () => {
      for (const socket of connections) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

it('closes a tunnel behind which no TLS begins in time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    await using proxy = await silentProxy();
    const agent = new SecureTunnelAgent({ secure: false, host: '127.0.0.1', port: proxy.port, headers: {} });
    const asking = request({ host: 'service.example', port: 443, agent });
    const refused = once(asking, 'error');
    asking.end();
    await vi.waitUntil(() => proxy.connections[0] !== undefined && proxy.connections[0].bytesRead > 100, {
      timeout: 20_000,
    });
    const [tunnel] = proxy.connections;
    const gone = once(tunnel!, 'close');
    vi.advanceTimersByTime(10_000);
    expect((await refused)[0]).toMatchObject({ code: 'ETIMEDOUT', sent: false });
    await gone;
  } finally {
    vi.useRealTimers();
  }
});

it('lets go of a proxy that does not answer in time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    await using proxy = await silentProxy('');
    const refused = opened(new TunnelAgent(to(proxy.port))).catch((error: unknown) => error);
    await vi.waitUntil(() => proxy.heads.length > 0, { timeout: 20_000 });
    const gone = once(proxy.connections[0]!, 'close');
    vi.advanceTimersByTime(10_000);
    expect(await refused).toMatchObject({
      code: 'ETIMEDOUT',
      sent: false,
      message: 'the proxy opened no connection',
    });
    await gone;
  } finally {
    vi.useRealTimers();
  }
});

const to = (port: number, more: Partial<Proxy> = {}): Proxy => ({
  ...{ secure: false, host: '127.0.0.1', port, headers: {} },
  ...more,
});

/** Opens a tunnel: the connection, or the error that came in its place. */
const opened = (agent: TunnelAgent, host = 'service.example'): Promise<Duplex> =>
  new Promise((resolve, reject) => {
    agent.createConnection({ host, port: 80 }, (error, socket) =>
      error === null ? resolve(socket) : reject(error),
    );
  });

it.each([
  ['407 Proxy Authentication Required', 'user or password', 'percent-encoded'],
  ['403 Forbidden', 'refuses the connection (403)', 'allow the host and port'],
  ['503 Service Unavailable', 'refuses the connection (503)', undefined],
  ['199 Odd', 'refuses the connection (199)', 'allow the host and port'],
])('says that the proxy refused by %s, before anything reached the service', async (answer, text, hint) => {
  await using proxy = await silentProxy(answer);
  const refused = await opened(new TunnelAgent(to(proxy.port))).catch((error: unknown) => error);
  expect(refused).toMatchObject({
    code: 'EPROXY',
    sent: false,
    message: expect.stringContaining(text) as string,
    hint: hint === undefined ? undefined : (expect.stringContaining(hint) as string),
  });
  const [connection] = proxy.connections;
  if (connection?.closed === false) await once(connection, 'close');
});

it('says that the proxy could not be reached', async () => {
  const gone = await silentProxy();
  await gone[Symbol.asyncDispose]();
  await expect(opened(new TunnelAgent(to(gone.port)))).rejects.toMatchObject({
    code: 'ECONNREFUSED',
    sent: false,
    message: 'the proxy could not be reached',
  });
});

it.each([
  ['service.example', 'service.example:80'],
  ['2001:db8::1', '[2001:db8::1]:80'],
])('asks for a tunnel to %s with the headers that the proxy wants', async (host, destination) => {
  await using proxy = await silentProxy('299 Fine');
  const agent = new TunnelAgent(to(proxy.port, { headers: { 'proxy-authorization': 'Basic x' } }));
  (await opened(agent, host)).destroy();
  const [head = ''] = proxy.heads;
  expect(head.split('\r\n')[0]).toBe(`CONNECT ${destination} HTTP/1.1`);
  expect(head).toMatch(/^proxy-authorization: Basic x\r$/imu);
  expect(head.toLowerCase()).toContain(`\r\nhost: ${destination}\r\n`);
});

it('loses nothing that the service says at once', async () => {
  await using proxy = await silentProxy('200 Connection established', 'hello');
  const tunnel = await opened(new TunnelAgent(to(proxy.port)));
  const [first] = (await once(tunnel, 'data')) as [Buffer];
  expect(first.toString()).toBe('hello');
  tunnel.destroy();
});

it.each([
  [false, 'http:'],
  [true, 'https:'],
])('tells a proxy the whole address of a request without encryption (secure: %s)', (secure, protocol) => {
  const agent = new TunnelAgent(to(3128, { secure, headers: { 'proxy-authorization': 'Basic x' } }));
  const { agent: own, ...forward } = agent.forward(new URL('http://service.example:8188/prompt?a=1'));
  expect(forward).toEqual({
    ...{ host: '127.0.0.1', port: 3128, protocol, path: 'http://service.example:8188/prompt?a=1' },
    headers: { 'proxy-authorization': 'Basic x', host: 'service.example:8188' },
  });
  expect((own as { readonly protocol?: string }).protocol).toBe(protocol);
});
