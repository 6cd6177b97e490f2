import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';

/** One open socket, from top to bottom. */
export interface SocketParts {
  readonly socket: WebSocket;
  /** What the socket writes to: the plan's stream. */
  readonly wire: Duplex;
  /** What carries it. */
  readonly connection: Duplex;
}
