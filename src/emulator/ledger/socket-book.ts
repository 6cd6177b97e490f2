import type { Outlet } from '../sockets/outlet.js';
import type { LedgerSocket } from './ledger.js';

/** Keeps a record of every socket that opened. */
export interface SocketBook {
  /** Enters a socket, and counts what goes out to it. */
  readonly open: (clientId: string | null, outlet: Outlet) => Outlet;
  readonly sockets: readonly LedgerSocket[];
}

/** An empty book. */
export const createSocketBook = (): SocketBook => {
  const sockets: { clientId: string | null; messages: number; isOpen: boolean }[] = [];
  return {
    sockets,
    open: (clientId, outlet) => {
      const entry = { clientId, messages: 0, isOpen: true };
      sockets.push(entry);
      outlet.onClose(() => {
        entry.isOpen = false;
      });
      return {
        ...outlet,
        send: (wire) => {
          if (entry.isOpen) entry.messages += 1;
          outlet.send(wire);
        },
      };
    },
  };
};
