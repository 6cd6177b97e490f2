import type { Clock } from '../../core/platform/platform.js';
import { defer, EMPTY, catchError, type Observable, repeat, switchMap } from 'rxjs';
import { timerOn } from '../../core/platform/timer.js';

/** The first wait and the longest one, in milliseconds. */
const [firstWaitMs, longestWaitMs] = [5_000, 60_000];

/**
 * Asks again for the end of a job, after 5, 10, 20 … seconds, a minute at most, until it is unsubscribed: a request may be lost, refused
 * for the moment or come before the job does, and the job costs money meanwhile. Emits the answers; never errors or completes.
 */
export const repeatCancel = <Answer>(
  clock: Pick<Clock, 'after'>,
  ask: () => Promise<Answer>,
): Observable<Answer> => {
  const wait = (asked: number): Observable<void> =>
    timerOn(clock, Math.min(longestWaitMs, firstWaitMs * 2 ** asked), { background: true });
  const asked = defer(ask).pipe(catchError(() => EMPTY));
  return wait(0).pipe(switchMap(() => asked.pipe(repeat({ delay: wait }))));
};
