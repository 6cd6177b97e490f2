import { Observable } from 'rxjs';
import type { Clock } from '../platform/platform.js';

/**
 * Emits once after `delayMs` of the platform's clock, then completes; unsubscribing cancels the timer.
 *
 * `background` timers don't keep a process alive.
 */
export const after = (
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
