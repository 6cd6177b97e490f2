import { realClock } from '../../../src/core/platform/clock.js';
import type { Clock } from '../../../src/core/platform/platform.js';

/** A clock that runs so many times faster than real time: every interval of the client is as much shorter. */
export const hastenedClock = (times: number): Clock => {
  const [now, wall] = [realClock.now(), realClock.wall()];
  return {
    now: () => now + (realClock.now() - now) * times,
    wall: () => wall + (realClock.wall() - wall) * times,
    after: (delayMs, work, options) => realClock.after(delayMs / times, work, options),
  };
};
