import type { Clock } from './platform.js';
import { nextTurn } from './next-turn.js';

/** So long may a slice take, in milliseconds: less than a picture of a screen is shown. */
export const sliceMs = 15;

/** Does steps (`Steps`) in slices of time, between which others get their turns of the event loop, or as long a pause as the caller makes. */
export const inSlices = async <Result>(
  steps: Generator<void, Result, void>,
  clock: Pick<Clock, 'now' | 'after'>,
  pause: () => Promise<void> = () => nextTurn(clock),
): Promise<Result> => {
  let began = clock.now();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (clock.now() - began < sliceMs) continue;
    await pause();
    began = clock.now();
  }
};
