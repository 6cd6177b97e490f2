import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { once } from 'node:events';

/** A server that passes bytes on both ways, and keeps those that come back. */
export interface RecordingProxy extends AsyncDisposable {
  readonly address: string;
  /** All that its clients have got so far, streams that go on included. */
  readonly received: () => string;
}

/** Stands before the server of an address; what a browser gets through it is seen byte by byte. */
export const recordingProxy = async (target: string): Promise<RecordingProxy> => {
  const { hostname, port, pathname } = new URL(target);
  const chunks: Buffer[] = [];
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    const upstream = keep(connect(Number(port), hostname));
    upstream.on('data', (bytes) => chunks.push(bytes));
    keep(client).pipe(upstream).pipe(client);
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`,
    received: () => Buffer.concat(chunks).toString('latin1'),
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
};
