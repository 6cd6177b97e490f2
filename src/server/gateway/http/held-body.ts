import type { BodyHold } from './body-budget.js';
import type { Clock } from '../../../core/platform/platform.js';
import { type ByteSink, pullBody } from '../streams/pull-body.js';
import type { LargeBody } from './respond.js';
import { restartableTimer } from '../streams/restartable-timer.js';

/** How a body whose bytes are all there is given to its reader. */
export interface HeldBodyOptions {
  readonly clock: Clock;
  /** When a reader that takes nothing is cut, in milliseconds. */
  readonly stallMs: number;
  /** Counts the bytes until the reader has the last of them. */
  readonly hold: Pick<BodyHold, 'add' | 'release'>;
}

/** Readers take this much at once. */
const pieceBytes = 64 * 1024;

/**
 * Gives bytes piece by piece, as their reader takes them, and counts those that are held for it until it has the last piece.
 *
 * A reader that takes nothing for `stallMs` is cut: the gateway would hold the bytes for it. Throws `HttpRefusal` where its caller, or the
 * gateway, may hold no more.
 */
export const heldBody = (
  { bytes, held }: LargeBody,
  { clock, stallMs, hold }: HeldBodyOptions,
): ReadableStream<Uint8Array> => {
  hold.add(held);
  const stall = restartableTimer(clock);
  const state: { rest?: Uint8Array | undefined; sink?: ByteSink } = { rest: bytes };
  const end = (): void => {
    stall.clear();
    state.rest = undefined;
    hold.release();
  };
  const stalled = (): void => {
    end();
    state.sink?.error(new Error(`The reader took nothing for ${stallMs} ms.`));
  };
  stall.set(stallMs, stalled);
  return pullBody({
    to: (sink) => (state.sink = sink),
    pull: () => {
      if (state.rest === undefined) return;
      const piece = state.rest.subarray(0, pieceBytes);
      const isLast = piece.byteLength === state.rest.byteLength;
      state.rest = state.rest.subarray(pieceBytes);
      if (isLast) end();
      else stall.set(stallMs, stalled);
      state.sink?.write([piece]);
      if (isLast) state.sink?.close();
    },
    cancel: end,
  });
};
