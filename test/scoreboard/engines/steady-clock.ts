import type { Clock } from '../../../src/core/platform/platform.js';
import { realClock } from '../../../src/core/platform/clock.js';

/** A clock with its end. */
export interface SteadyClock {
  readonly clock: Clock;
  readonly stop: () => void;
}

const tickMs = 4;
/** A longer gap between two ticks is a moment in which this process did not run. */
const longestGapMs = 12;

/**
 * A clock that runs so many times faster than the time in which this process runs.
 *
 * A process that has to wait for the machine finds no limit passed when it goes on: server and client stood still alike.
 */
export const steadyClock = (times: number): SteadyClock => {
  const [startedAt, wallAt] = [realClock.now(), realClock.wall()];
  let [ran, tickedAt] = [0, startedAt];
  const gap = (): number => Math.min(realClock.now() - tickedAt, longestGapMs);
  const ticking = setInterval(() => {
    ran += gap();
    tickedAt = realClock.now();
  }, tickMs);
  const elapsed = (): number => (ran + gap()) * times;
  const now = (): number => startedAt + elapsed();
  const after: Clock['after'] = (delayMs, work, options) => {
    const due = now() + delayMs;
    const arm = (restMs: number): (() => void) =>
      realClock.after(
        restMs / times,
        () => {
          const rest = due - now();
          if (rest <= 0) work();
          else cancel = arm(rest);
        },
        options,
      );
    let cancel = arm(delayMs);
    return () => cancel();
  };
  return { clock: { now, wall: () => wallAt + elapsed(), after }, stop: () => clearInterval(ticking) };
};
