import { defer, exhaustMap, from, type ObservableInput, type OperatorFunction, repeat, tap } from 'rxjs';

/**
 * As `exhaustMap`, but the newest of the values that came while an inner observable ran is projected once that one completes.
 *
 * So a value is never ignored for good: at most one waits, and it replaces the one that waits already. Errors of the source, of
 * `project` and of an inner observable end the result. It completes once the source has completed, none runs and none waits.
 */
export const exhaustMapWithTrailing =
  <A, B>(project: (value: A) => ObservableInput<B>): OperatorFunction<A, B> =>
  (source) =>
    defer(() => {
      /** The newest value, or none. */
      const waiting: A[] = [];
      const projected = defer(() => project(waiting.pop() as A));
      return source.pipe(
        tap((value) => waiting.splice(0, 1, value)),
        exhaustMap(() => projected.pipe(repeat({ delay: () => from(waiting) }))),
      );
    });
