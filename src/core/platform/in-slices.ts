import type { Clock } from './platform.js';
import { nextTurn } from './next-turn.js';

/** So long may a slice take, in milliseconds: less than a picture of a screen is shown. */
export const sliceMs = 15;

/** A slice of time for work, which began when it was made. */
export interface Slice {
  readonly isOver: () => boolean;
  /** Resolves after a pause, by default in another turn of the event loop; the slice begins anew there. */
  readonly next: () => Promise<void>;
}

/** Makes a {@link Slice}, for work that waits for others between its steps and yet leaves no turn: what they ask may be in memory. */
export const sliceOf = (
  clock: Pick<Clock, 'now' | 'after'>,
  pause: () => Promise<void> = () => nextTurn(clock),
): Slice => {
  let began = clock.now();
  return {
    isOver: () => clock.now() - began >= sliceMs,
    next: async () => {
      await pause();
      began = clock.now();
    },
  };
};

/** Does steps (`Steps`) in slices of time, between which others get their turns of the event loop, or as long a pause as the caller makes. */
export const inSlices = async <Result>(
  steps: Generator<void, Result, void>,
  clock: Pick<Clock, 'now' | 'after'>,
  pause?: () => Promise<void>,
): Promise<Result> => {
  const slice = sliceOf(clock, pause);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (slice.isOver()) await slice.next();
  }
};
