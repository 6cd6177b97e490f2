import type { Clock } from './platform.js';
import { Observable, repeat } from 'rxjs';

/**
 * As rxjs's `timer`, on the platform's clock: emits once after `delayMs`, then completes; unsubscribing cancels the timer.
 *
 * `background` timers don't keep a process alive.
 */
export const timerOn = (
  clock: Pick<Clock, 'after'>,
  delayMs: number,
  options?: { readonly background?: boolean },
): Observable<void> =>
  new Observable((subscriber) =>
    clock.after(
      delayMs,
      () => {
        subscriber.next();
        subscriber.complete();
      },
      options,
    ),
  );

/** As rxjs's `interval`, on the platform's clock: emits every `everyMs` milliseconds, for the first time after as many. */
export const intervalOn = (clock: Pick<Clock, 'after'>, everyMs: number): Observable<void> =>
  timerOn(clock, everyMs).pipe(repeat());
