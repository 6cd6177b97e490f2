import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, it, vi } from 'vitest';
import { once } from 'node:events';
import { SecureTunnelAgent } from '../../../src/platform/node/tunnel.js';
import { request } from 'node:https';

/** A proxy that opens each tunnel, into which it writes what is told and nothing else. */
const silentProxy = async () => {
  const connections: Socket[] = [];
  const server = createServer((socket) => {
    connections.push(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => socket.write('HTTP/1.1 200 Connection established\r\n\r\n'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    connections,
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
    await vi.waitUntil(() => proxy.connections[0] !== undefined && proxy.connections[0].bytesRead > 100);
    const [tunnel] = proxy.connections;
    const gone = once(tunnel!, 'close');
    vi.advanceTimersByTime(10_000);
    expect((await refused)[0]).toMatchObject({ code: 'ETIMEDOUT', sent: false });
    await gone;
  } finally {
    vi.useRealTimers();
  }
});
