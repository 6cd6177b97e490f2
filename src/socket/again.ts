import {
  BehaviorSubject,
  catchError,
  defer,
  ignoreElements,
  type MonoTypeOperatorFunction,
  type Observable,
  switchMap,
  take,
  tap,
} from 'rxjs';

/**
 * Subscribes to a source that never completes anew after each of its errors, once what `wait` makes of the error has
 * emitted; errors as that does, and waits for ever where that completes without a value.
 *
 * As rxjs's `retry({ delay })`, which brings the timers and schedulers of rxjs into every page.
 */
export const again =
  <A>(wait: (error: unknown) => Observable<unknown>): MonoTypeOperatorFunction<A> =>
  (source) =>
    defer(() => {
      const begun = new BehaviorSubject(undefined);
      const waiting = (error: unknown): Observable<never> =>
        wait(error).pipe(
          take(1),
          tap(() => begun.next(undefined)),
          ignoreElements(),
        );
      return begun.pipe(switchMap(() => source.pipe(catchError(waiting))));
    });
