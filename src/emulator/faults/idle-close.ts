import type { Duplex } from 'node:stream';
import type { EmulatorClock } from '../clock.js';
import { breakOff } from '../http/break-off.js';
import type { SocketFault } from './socket-fault.js';

/** Ends a connection once nobody has told of traffic for so long; every call of the result tells of some. */
export const idleClose = (
  connection: Duplex,
  { ms, how = 'fin' }: Extract<SocketFault, { readonly do: 'idle-close' }>,
  clock: EmulatorClock,
): (() => void) => {
  let cancel = (): void => undefined;
  connection.once('close', () => cancel());
  return () => {
    cancel();
    if (!connection.destroyed) cancel = clock.after(ms, () => breakOff(connection, how));
  };
};
