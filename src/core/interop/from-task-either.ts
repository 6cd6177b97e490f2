import { isLeft } from '../protocol/either.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import { defer, finalize, from, mergeMap, type Observable, of, throwError } from 'rxjs';

/**
 * Turns a `TaskEither` into a cold Observable: each subscription runs it once, emits its Right and completes, or errors
 * with its Left.
 *
 * ```text
 * subscribe        ^
 * task             -----r                 or    -----l
 * result           -----(r|)                    -----#
 * ```
 *
 * A `TaskEither` can't be stopped: unsubscribing only ignores its result. Pass a function that takes an `AbortSignal`
 * instead and the signal fires on unsubscription, so that `switchMap`, `takeUntil` and `timeout` end the request too.
 *
 * @example
 * ```ts
 * import { fromTaskEither, type Client } from 'promptwire';
 * import { switchMap, timer } from 'rxjs';
 *
 * const queueEverySecond = (client: Client) =>
 *   timer(0, 1000).pipe(switchMap(() => fromTaskEither((signal) => client.rest.queue({ signal }))));
 * ```
 */
export const fromTaskEither = <E, A>(
  task: TaskEither<E, A> | ((signal: AbortSignal) => TaskEither<E, A>),
): Observable<A> =>
  defer(() => {
    const controller = new AbortController();
    // A TaskEither ignores the argument and answers with its promise; the other form answers with a TaskEither.
    const started = task(controller.signal);
    return from(typeof started === 'function' ? started() : started).pipe(
      mergeMap((result) => {
        if (isLeft(result)) return throwError(() => result.left as unknown);
        return of(result.right);
      }),
      finalize(() => controller.abort()),
    );
  });
