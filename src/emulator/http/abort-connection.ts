import type { CutHow } from '../fault.js';
import type { Duplex } from 'node:stream';
import { Socket } from 'node:net';

/** Ends a connection by a reset or an orderly end; `stall` leaves it open and silent. */
export const abortConnection = (stream: Duplex, how: CutHow | 'stall'): void => {
  if (how === 'stall') return;
  if (how === 'rst' && stream instanceof Socket) stream.resetAndDestroy();
  else stream.destroy();
};
