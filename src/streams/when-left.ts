import { type MonoTypeOperatorFunction, Observable } from 'rxjs';
import { within } from './within.js';

/**
 * As rxjs's `tap({ unsubscribe })`: calls `work` where a subscriber leaves before the end.
 *
 * The source is left by then, also where the subscriber leaves while the source begins: rxjs would call in the midst of that.
 */
export const whenLeft =
  <A>(work: () => void): MonoTypeOperatorFunction<A> =>
  (source) =>
    new Observable((subscriber) => {
      let isOver = false;
      within(subscriber, () => source, {
        next: (value) => subscriber.next(value),
        error: (error: unknown) => {
          isOver = true;
          subscriber.error(error);
        },
        complete: () => {
          isOver = true;
          subscriber.complete();
        },
      });
      return () => {
        if (!isOver) work();
      };
    });
