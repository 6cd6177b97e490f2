import type { Clock } from '../../../src/core/platform/platform.js';

/** The time of one run: it passes only where the run advances it, except for waits of nothing. */
export interface RunClock extends Clock {
  readonly advance: (ms: number) => void;
}

/** Makes a {@link RunClock}. */
export const runClock = (): RunClock => {
  let now = 0;
  const timers = new Map<() => void, number>();
  return {
    now: () => now,
    wall: () => 1_767_225_600_000 + now,
    after: (delayMs, work) => {
      if (delayMs <= 0) {
        const immediate = setImmediate(work);
        return () => clearImmediate(immediate);
      }
      const timer = (): void => work();
      timers.set(timer, now + delayMs);
      return () => void timers.delete(timer);
    },
    advance: (ms) => {
      now += ms;
      for (const [timer, at] of timers) {
        if (at > now) continue;
        timers.delete(timer);
        timer();
      }
    },
  };
};
