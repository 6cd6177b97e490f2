import { fromAbortSignal } from './from-abort-signal.js';
import { map, type MonoTypeOperatorFunction, takeUntil } from 'rxjs';
import { serviceError } from '../errors/service-error.js';

/** Options of {@link abortable}. */
export interface AbortableOptions {
  /** Whether the source may have sent something by then: the error's `sent`; default true. */
  readonly sent?: boolean | undefined;
  /** The job that the stream is about, where one is known: the error's `promptId`. */
  readonly promptId?: string | undefined;
}

/**
 * Ends a stream with the `ServiceError` `Aborted` when a signal fires.
 *
 * ```text
 * source           --a--b--c--d--|
 * signal           -------x
 *                  abortable(signal)
 * result           --a--b-#
 * ```
 *
 * The source is unsubscribed from at once; it is not subscribed to at all if the signal has fired before. The listener
 * is removed at the end of the subscription. The signal's `reason` is the error's `cause`. Without a
 * signal the stream passes unchanged. To end quietly instead use `takeUntil(fromAbortSignal(signal))`.
 *
 * @example
 * ```ts
 * import { abortable, type Client, type Workflow } from 'promptwire';
 *
 * const atMost = (client: Client, workflow: Workflow, ms: number) =>
 *   client.run(workflow).pipe(abortable(AbortSignal.timeout(ms)));
 * ```
 */
export const abortable =
  <A>(
    signal: AbortSignal | undefined,
    { sent = true, promptId }: AbortableOptions = {},
  ): MonoTypeOperatorFunction<A> =>
  (source) =>
    signal === undefined
      ? source
      : source.pipe(
          takeUntil(
            fromAbortSignal(signal).pipe(
              map(() => {
                throw serviceError('Aborted', { sent, promptId, cause: signal.reason });
              }),
            ),
          ),
        );
