import { catchError, defer, map, of, race } from 'rxjs';
import type { Clock } from './platform.js';
import { timerOn } from './timer.js';

/** Resolves with the answer, or with `otherwise` if no answer comes within `withinMs` or the question fails; never rejects. */
export const answerWithin = <Answer>(
  clock: Pick<Clock, 'after'>,
  withinMs: number,
  ask: () => Promise<Answer>,
  otherwise: Answer,
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const answered = defer(ask).pipe(catchError(() => of(otherwise)));
    const late = timerOn(clock, withinMs).pipe(map(() => otherwise));
    race(answered, late).subscribe({ next: resolve, error: reject });
  });
