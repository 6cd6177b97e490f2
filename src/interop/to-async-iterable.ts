import type { Observable } from 'rxjs';
import { asyncValues, type AsyncValues } from './async-values.js';
import { boundedQueue, type OverflowPolicy } from './bounded-queue.js';

/** Options of {@link toAsyncIterable} and `toReadableStream` for values of type `A`. */
export interface AsyncIterableOptions<A = unknown> {
  /** How many values may wait for the consumer; default 1,000. */
  readonly capacity?: number | undefined;
  /**
   * What happens beyond that: `error` (default) ends the iteration with `Overflow` once what waits was read;
   * `drop-oldest` loses the oldest value; `latest` keeps, at any time, only the newest preview, progress and text of
   * each node, the newest state of each job and the newest of any other values, and every other frame; `key` says otherwise.
   */
  readonly overflow?: OverflowPolicy | undefined;
  /**
   * For `overflow: 'latest'`: of values with the same key only the newest is kept, and a value whose key is `undefined` is never
   * lost. Needed where values were mapped, e.g. to lines of text: all of those replace each other otherwise.
   */
  readonly key?: ((value: A) => string | undefined) | undefined;
  /** Ends the iteration quietly, dropping what waits. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Lets `for await` read an Observable, without losing values, hanging or growing without bounds.
 *
 * ```text
 * observable       --a--b--c--d--|
 * next()           ^-a  ^--------b-c-d-done      b, c and d wait until they are asked for
 * ```
 *
 * Eager: it subscribes when called, so a hot stream loses nothing between this call and the first `next()`. At most
 * `capacity` values wait; the last value before the end is never dropped. `break`, `return()`, a throw in the loop,
 * `await using` and the signal unsubscribe at once, also while a `next()` is pending, which then ends. An error of the
 * stream rejects the `next()` that comes after the values before it. Several `next()` at once are answered in order.
 * Whoever neither reads to the end nor leaves in one of these ways holds the subscription.
 *
 * `overflow: 'latest'` with no more than `capacity` frames that must not be lost (`executing`, `executed`, …) waiting
 * never loses one; beyond that it ends with `Overflow`, as `error` does. A `capacity` below 1 throws
 * `InvalidConfig`, and so does a `key` with any other `overflow`.
 *
 * @example
 * ```ts
 * import { toAsyncIterable, type Client } from 'promptwire';
 *
 * const show = async (client: Client): Promise<void> => {
 *   for await (const frame of toAsyncIterable(client.frames, { overflow: 'latest' })) console.log(frame._tag);
 * };
 * ```
 */
export const toAsyncIterable = <A>(
  observable: Observable<A>,
  { capacity = 1000, overflow = 'error', key, signal }: AsyncIterableOptions<A> = {},
): AsyncValues<A> => asyncValues(observable, boundedQueue(capacity, overflow, key), signal);
