import { catchError, defer, firstValueFrom, map, of, race } from 'rxjs';
import type { Clock } from './platform.js';
import { timerOn } from './timer.js';

/** Resolves with the answer, or with `otherwise` if no answer comes within `withinMs` or the question fails; never rejects. */
export const answerWithin = <Answer>(
  clock: Pick<Clock, 'after'>,
  withinMs: number,
  ask: () => Promise<Answer>,
  otherwise: Answer,
): Promise<Answer> =>
  firstValueFrom(
    race(
      defer(ask).pipe(catchError(() => of(otherwise))),
      timerOn(clock, withinMs).pipe(map(() => otherwise)),
    ),
    { defaultValue: otherwise },
  );
