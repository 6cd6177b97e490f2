import type { Clock } from '../../src/core/platform/platform.js';

/** A clock on which time passes as the test does work, and nothing else. */
export interface WorkingClock {
  readonly clock: Pick<Clock, 'now' | 'after'>;
  /** Work that takes so many milliseconds. */
  readonly work: (ms: number) => void;
  /** When other work had a turn of the event loop. */
  readonly turns: readonly number[];
}

/** Makes a {@link WorkingClock} that begins at 0. A timer is due at once. */
export const workingClock = (): WorkingClock => {
  let now = 0;
  const turns: number[] = [];
  const clock: WorkingClock['clock'] = {
    now: () => now,
    after: (_, work) => {
      turns.push(now);
      queueMicrotask(work);
      return () => undefined;
    },
  };
  return { clock, work: (ms) => (now += ms), turns };
};
