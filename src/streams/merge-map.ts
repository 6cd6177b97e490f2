import { Observable, type OperatorFunction } from 'rxjs';
import { fifo } from './fifo.js';
import { within } from './within.js';

/**
 * As rxjs's `mergeMap`: at most `limit` of the streams at once, further values wait for their turn. Thousands of them may
 * end at once, each in its turn, which would be too deep for rxjs's.
 */
export const mergeMap =
  <A, B>(project: (value: A, index: number) => Observable<B>, limit = Infinity): OperatorFunction<A, B> =>
  (source) =>
    new Observable((subscriber) => {
      const waiting = fifo<A>();
      let index = 0;
      let active = 0;
      let isOver = false;
      let isServing = false;

      const next = (result: B): void => subscriber.next(result);
      const error = (cause: unknown): void => subscriber.error(cause);
      /** In a loop: what ends as soon as it begins comes back here before it has begun. */
      const serve = (): void => {
        if (isServing) return;
        isServing = true;
        while (!subscriber.closed && active < limit && waiting.size > 0) begin(waiting.take());
        isServing = false;
        if (isOver && active === 0) subscriber.complete();
      };
      const begin = (value: A): void => {
        active += 1;
        let isDone = false;
        const complete = (): void => void (isDone = true);
        // The next one begins when this one has cleaned up, not as soon as it says that it is done.
        within(subscriber, () => project(value, index++), { next, error, complete }).add(() => {
          if (!isDone) return;
          active -= 1;
          serve();
        });
      };

      within(subscriber, () => source, {
        next: (value) => {
          if (active < limit) begin(value);
          else waiting.put(value);
        },
        error,
        complete: () => {
          isOver = true;
          serve();
        },
      });
    });
