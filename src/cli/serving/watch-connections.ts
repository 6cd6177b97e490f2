import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Which connections of a server have a request under way. */
export interface WatchedConnections {
  /** Closes those without a request, now and as the answers of the others end. */
  readonly closeIdle: () => void;
}

/**
 * Watches the connections of a server that is to listen.
 *
 * `closeIdleConnections` of Node.js leaves those that have sent no request yet, as browsers open them in advance, and those whose answer ends
 * later: each would hold the end of the server until it is cut.
 */
export const watchConnections = (server: Server): WatchedConnections => {
  const requests = new Map<Socket, number>();
  const closing = new AbortController();
  const change = (socket: Socket, by: number): void => {
    const left = (requests.get(socket) ?? 0) + by;
    if (!socket.destroyed) requests.set(socket, left);
    if (closing.signal.aborted && left === 0) socket.destroySoon();
  };
  server.on('connection', (socket) => {
    change(socket, 0);
    socket.once('close', () => requests.delete(socket));
  });
  server.on('request', ({ socket }, response) => {
    change(socket, 1);
    response.once('close', () => change(socket, -1));
  });
  return {
    closeIdle: () => {
      closing.abort();
      for (const [socket, under] of requests) if (under === 0) socket.destroySoon();
    },
  };
};
