import type { Clock } from '../../../core/platform/platform.js';
import { from, map, race } from 'rxjs';
import { timerOn } from '../../../core/platform/timer.js';

/** How long a caller waits for a store that does not answer: what is known by then is the answer. */
const withinMs = 1_000;

/** Waits a second at most for work; after that the work goes on, and `otherwise` stands for its result. */
export const within = <Result>(
  clock: Pick<Clock, 'after'>,
  work: Promise<Result>,
  otherwise: Result,
): Promise<Result> =>
  new Promise((resolve, reject) => {
    const late = timerOn(clock, withinMs).pipe(map(() => otherwise));
    race(from(work), late).subscribe({ next: resolve, error: reject });
  });
