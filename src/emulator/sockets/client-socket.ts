import type { LedgerSocket } from '../ledger.js';
import type { RawData, WebSocket } from 'ws';

/** One open WebSocket, as the backend sees it. */
export interface ClientSocket {
  readonly send: (wire: string | Uint8Array) => void;
  readonly close: (code: number, reason: string) => void;
  /** Text messages only; the service ignores binary ones. */
  readonly onText: (listener: (text: string) => void) => void;
  readonly onClose: (listener: () => void) => void;
}

/** Wraps a socket of `ws`; messages sent after its end are dropped. */
export const clientSocket = (socket: WebSocket): ClientSocket => {
  socket.on('error', () => socket.terminate());
  return {
    send: (wire) => {
      if (socket.readyState === socket.OPEN) socket.send(wire);
    },
    close: (code, reason) => socket.close(code, reason),
    onText: (listener) => {
      socket.on('message', (data: RawData, isBinary: boolean) => {
        if (!isBinary) listener(rawText(data));
      });
    },
    onClose: (listener) => {
      socket.on('close', listener);
    },
  };
};

const rawText = (data: RawData): string =>
  (Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as Buffer)).toString('utf8');

/** A record of every socket that opened. */
export interface SocketLedger {
  /** Adds a socket and counts the messages sent to it. */
  readonly open: (clientId: string | null, client: ClientSocket) => ClientSocket;
  readonly sockets: readonly LedgerSocket[];
}

/** An empty ledger. */
export const createSocketLedger = (): SocketLedger => {
  const sockets: { clientId: string | null; messages: number; isOpen: boolean }[] = [];
  return {
    sockets,
    open: (clientId, client) => {
      const entry = { clientId, messages: 0, isOpen: true };
      sockets.push(entry);
      client.onClose(() => {
        entry.isOpen = false;
      });
      return {
        ...client,
        send: (wire) => {
          if (entry.isOpen) entry.messages += 1;
          client.send(wire);
        },
      };
    },
  };
};
