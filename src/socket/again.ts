import { type MonoTypeOperatorFunction, Observable, take } from 'rxjs';
import { within } from '../streams/within.js';

/**
 * Subscribes to a source that never completes anew after each of its errors, once what `wait` makes of the error has
 * emitted; errors as that does, and waits for ever where that completes without a value.
 *
 * As rxjs's `retry({ delay })`, which brings the timers and schedulers of rxjs into every page.
 */
export const again =
  <A>(wait: (error: unknown) => Observable<unknown>): MonoTypeOperatorFunction<A> =>
  (source) =>
    new Observable((subscriber) => {
      const begin = (): void => {
        within(subscriber, () => source, { next: (value) => subscriber.next(value), error: rest });
      };
      const rest = (why: unknown): void => {
        within(subscriber, () => wait(why).pipe(take(1)), {
          next: begin,
          error: (error: unknown) => subscriber.error(error),
        });
      };
      begin();
    });
