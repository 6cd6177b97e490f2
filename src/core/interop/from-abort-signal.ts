import { Observable } from 'rxjs';
import { onAbort } from './on-abort.js';

/**
 * Turns an `AbortSignal` into an Observable that emits once when the signal fires, and completes.
 *
 * ```text
 * signal           ----x                 or fired before:   x
 * result           ----(v|)                                 (v|)
 * ```
 *
 * Made for `takeUntil`, which ends a stream quietly; `abortable` ends it with an error. Without a signal it never emits,
 * so an optional one can be passed on as it is. The listener is added on subscription and removed on unsubscription.
 *
 * @example
 * ```ts
 * import { fromAbortSignal, type Frame } from 'promptwire';
 * import { takeUntil, type Observable } from 'rxjs';
 *
 * const until = (frames: Observable<Frame>, signal?: AbortSignal) => frames.pipe(takeUntil(fromAbortSignal(signal)));
 * ```
 */
export const fromAbortSignal = (signal: AbortSignal | undefined): Observable<void> =>
  new Observable((subscriber) => {
    const fire = (): void => {
      subscriber.next();
      subscriber.complete();
    };
    if (signal?.aborted === true) fire();
    return onAbort(signal, fire);
  });
