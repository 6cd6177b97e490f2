import type { EmulatorClock } from '../clock.js';
import { pause } from '../pause.js';
import { cutIntoPieces, type BytePace } from './cut-into-pieces.js';

/** How bytes are written. */
export interface WritePiecesOptions extends BytePace {
  readonly clock: EmulatorClock;
  readonly write: (piece: Uint8Array, done: () => void) => unknown;
  /** Asked before each piece: true ends it, for a stream that has no connection any more may never answer a write. */
  readonly isOver: () => boolean;
}

/** Writes bytes piece by piece, each once the one before has left; resolves when all are out, or it is over. */
export const writePieces = async (
  bytes: Uint8Array,
  { clock, write, isOver, ...pace }: WritePiecesOptions,
): Promise<void> => {
  for (const { piece, pauseMs } of cutIntoPieces(bytes, pace)) {
    if (isOver()) return;
    await new Promise<void>((resolve) => write(piece, resolve));
    await pause(clock, pauseMs);
  }
};
