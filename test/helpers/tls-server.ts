import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type WebSocket, WebSocketServer } from 'ws';

/** A service over TLS on loopback, whose certificate no runtime trusts by default. */
export interface TlsServer extends AsyncDisposable {
  /** `https://…` */
  readonly url: string;
}

const fixture = (name: string): string => join(import.meta.dirname, '../fixtures/tls', name);

/** The file that makes a program of Node.js trust a {@link tlsServer}, where `NODE_EXTRA_CA_CERTS` names it. */
export const certificatePath = fixture('certificate.pem');

/** Serves an empty queue over REST, and to each socket what `welcome` sends. */
export const tlsServer = async (welcome: (socket: WebSocket) => void): Promise<TlsServer> => {
  const [cert, key] = await Promise.all([certificatePath, fixture('key.pem')].map((path) => readFile(path)));
  const server = createServer({ cert, key }, (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end('{"queue_running":[],"queue_pending":[]}');
  });
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) => {
    socket.on('error', () => undefined);
    welcome(socket);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
