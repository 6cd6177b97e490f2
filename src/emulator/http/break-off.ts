import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { CutHow } from '../faults/pace-deed.js';

/** Ends a connection by a reset or an orderly end, or leaves it as it is for good. */
export const breakOff = (stream: Duplex, how: CutHow | 'stall'): void => {
  if (how === 'stall') return;
  if (how === 'rst' && stream instanceof Socket) stream.resetAndDestroy();
  else stream.destroy();
};
