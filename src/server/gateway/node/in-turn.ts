import type { NodeRequest } from './node-request.js';

/** Requests that wait on one connection; no client sends so many ahead. */
const maxWaiting = 64;

/** Begins a request, whose answer ends with `ended`, once those before it on its connection have been answered. */
export type BeginInTurn = (request: NodeRequest, ended: Promise<void>, begin: () => void) => void;

/**
 * Makes what lets the requests of one connection of HTTP/1 begin one after the other, each in a turn of the event loop of its own.
 *
 * Their answers go in this order anyway. Node.js parses hundreds of pipelined requests at once, and would begin all of them in one turn, in
 * which nobody else is answered. A connection with more than 64 that wait is cut.
 */
export const inTurn = (): BeginInTurn => {
  /** Those that wait, by the sockets that have a request under way. */
  const waiting = new WeakMap<object, (() => void)[]>();
  return ({ httpVersionMajor, socket }, ended, begin) => {
    if (httpVersionMajor > 1) {
      begin();
      return;
    }
    if (socket.destroyed) return;
    const next = (): void => {
      const following = waiting.get(socket)?.shift();
      if (following === undefined) waiting.delete(socket);
      else setImmediate(following);
    };
    const start = (): void => {
      if (socket.destroyed) waiting.delete(socket);
      else {
        void ended.then(next);
        begin();
      }
    };
    const others = waiting.get(socket);
    if (others === undefined) {
      waiting.set(socket, []);
      start();
    } else if (others.length < maxWaiting) others.push(start);
    else socket.destroy();
  };
};
