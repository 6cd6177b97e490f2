import { type Observable, take } from 'rxjs';
import { serviceError } from '../errors/service-error.js';

/**
 * Makes an `AbortSignal` that fires when an Observable emits, completes or errors, whichever comes first.
 *
 * ```text
 * observable       ----a--b--|
 * signal           ----x
 * ```
 *
 * It subscribes at once and, after the first notification, unsubscribes; until then the subscription lasts, so give it a
 * stream that ends. `reason` is the stream's error, else the `ServiceError` `Aborted`.
 *
 * @example
 * ```ts
 * import { toAbortSignal, type Client } from 'promptwire';
 * import { fromEvent } from 'rxjs';
 *
 * const objectInfo = (client: Client, button: EventTarget) =>
 *   client.rest.objectInfo({ signal: toAbortSignal(fromEvent(button, 'click')) });
 * ```
 */
export const toAbortSignal = (observable: Observable<unknown>): AbortSignal => {
  const controller = new AbortController();
  const fire = (): void => controller.abort(serviceError('Aborted', { sent: true }));
  observable.pipe(take(1)).subscribe({
    next: fire,
    complete: fire,
    error: (error: unknown) => controller.abort(error),
  });
  return controller.signal;
};
