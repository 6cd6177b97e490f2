import type { CancelTimer, Clock } from './platform.js';

/** Timers hold at most a signed 32-bit number of milliseconds; longer delays are waited for in pieces. */
const longestMs = 2 ** 31 - 1;

/** The clock of this machine. */
export const realClock: Clock = {
  now: () => performance.now(),
  wall: () => Date.now(),
  after: (delayMs, work, options) => {
    let cancel: CancelTimer;
    const next = (leftMs: number): void => {
      const pieceMs = Math.min(leftMs, longestMs);
      cancel = arm(pieceMs, () => (leftMs > pieceMs ? next(leftMs - pieceMs) : work()), options);
    };
    next(Math.max(0, delayMs));
    return () => cancel();
  },
};

const arm: Clock['after'] = (delayMs, work, options) => {
  const timer = setTimeout(work, delayMs);
  if (options?.background === true) unref(timer);
  return () => clearTimeout(timer);
};

/** Browsers have plain numbers for timers, and no process to keep alive. */
const unref = (timer: object | number): void => {
  if (typeof timer === 'object') (timer as { readonly unref?: () => void }).unref?.();
};
