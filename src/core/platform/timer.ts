import type { Clock } from './platform.js';
import { Observable } from 'rxjs';

/**
 * As rxjs's `timer`, on the platform's clock: emits once after `delayMs`, then completes; unsubscribing cancels the timer.
 *
 * `background` timers don't keep a process alive.
 */
export const timerOn = (
  clock: Clock,
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
