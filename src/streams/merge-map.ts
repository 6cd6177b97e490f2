import { Observable, type OperatorFunction } from 'rxjs';
import { within } from './within.js';

/** As rxjs's `mergeMap`: at most `limit` of the streams at once, further values wait for their turn. */
export const mergeMap =
  <A, B>(project: (value: A, index: number) => Observable<B>, limit = Infinity): OperatorFunction<A, B> =>
  (source) =>
    new Observable((subscriber) => {
      const waiting: A[] = [];
      let index = 0;
      let active = 0;
      let isOver = false;

      const next = (result: B): void => subscriber.next(result);
      const error = (cause: unknown): void => subscriber.error(cause);
      const completeAtEnd = (): void => {
        if (isOver && active === 0) subscriber.complete();
      };
      const begin = (value: A): void => {
        active += 1;
        const complete = (): void => {
          active -= 1;
          if (waiting.length > 0) begin(waiting.shift() as A);
          else completeAtEnd();
        };
        within(subscriber, () => project(value, index++), { next, error, complete });
      };

      within(subscriber, () => source, {
        next: (value) => {
          if (active < limit) begin(value);
          else waiting.push(value);
        },
        error,
        complete: () => {
          isOver = true;
          completeAtEnd();
        },
      });
    });
