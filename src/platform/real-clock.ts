import type { Clock } from '../socket/platform.js';

/** Timers hold at most a signed 32-bit number of milliseconds; longer delays are waited for in pieces. */
const longestMs = 2 ** 31 - 1;

/** The clock of this machine. */
export const realClock: Clock = {
  now: () => performance.now(),
  wall: () => Date.now(),
  after: (delayMs, work, { background = false } = {}) => {
    let timer: ReturnType<typeof setTimeout>;
    const arm = (leftMs: number): void => {
      const pieceMs = Math.min(leftMs, longestMs);
      timer = setTimeout(() => (leftMs > pieceMs ? arm(leftMs - pieceMs) : work()), pieceMs);
      if (background) unref(timer);
    };
    arm(Math.max(0, delayMs));
    return () => clearTimeout(timer);
  },
};

/** Browsers have plain numbers for timers, and no process to keep alive. */
const unref = (timer: object | number): void => {
  if (typeof timer === 'object') (timer as { readonly unref?: () => void }).unref?.();
};
