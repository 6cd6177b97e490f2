/// <reference lib="esnext.disposable" preserve="true" />
import { boundedQueue, type OverflowPolicy, type Queue } from './bounded-queue.js';
import { bufferedValuesFrom } from 'rxjs-for-await';
import { fromAbortSignal } from './from-abort-signal.js';
import { merge, Observable, Subject, takeUntil, tap } from 'rxjs';

/** An iterator for one consumer that frees its subscription on every way out. */
export type AsyncValues<A> = AsyncIterableIterator<A, undefined> &
  AsyncDisposable & {
    /** Ends the iteration and unsubscribes; what waits is dropped. */
    readonly return: () => Promise<IteratorResult<A, undefined>>;
    /** Ends the iteration and unsubscribes, and rejects with this error. */
    readonly throw: (error?: unknown) => Promise<IteratorResult<A, undefined>>;
  };

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
 * A consumer that neither reads to the end nor leaves in one of these ways holds the subscription.
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
): AsyncValues<A> => {
  const queue = boundedQueue<A>(capacity, overflow, key);
  const asked = new Subject<void>();
  const left = new Subject<void>();
  // The library's own buffer has no bound, so it is given one value for each `next()` that waits; the others wait in the queue.
  const batches = bufferedValuesFrom(
    onRequest(observable, queue, asked).pipe(takeUntil(merge(left, fromAbortSignal(signal)))),
  );
  // The first step of the library's generator subscribes.
  let ahead = batches.next();
  let reading = 0;
  const read = async (): Promise<IteratorResult<A, undefined>> => {
    asked.next();
    const batch = ahead;
    ahead = batches.next();
    try {
      const { done, value } = await batch;
      return done === true ? ended : { value: value[0] as A, done: false };
    } finally {
      reading -= 1;
    }
  };
  const leave = (): void => left.next();

  let latest: Promise<unknown> = Promise.resolve();
  return {
    next: () => {
      if (reading === 0 && queue.size > 0) return Promise.resolve({ value: queue.take(), done: false });
      reading += 1;
      const result = latest.then(read, read);
      latest = result;
      return result;
    },
    return: () => {
      leave();
      return Promise.resolve(ended);
    },
    throw: (error) => {
      leave();
      return Promise.reject(error as Error);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
    [Symbol.asyncDispose]: () => {
      leave();
      return Promise.resolve();
    },
  };
};

const ended = { value: undefined, done: true } as const;

/** Emits one value for each request, as soon as there is one; the other values, and the end, wait in the queue. */
const onRequest = <A>(source: Observable<A>, queue: Queue<A>, requests: Observable<void>): Observable<A> =>
  new Observable((subscriber) => {
    let isAsked = false;
    let end: (() => void) | undefined;
    const answer = (): void => {
      if (!isAsked) return;
      if (queue.size > 0) {
        isAsked = false;
        subscriber.next(queue.take());
      } else {
        end?.();
      }
    };
    const endBy = (how: () => void): void => {
      end = how;
      answer();
    };
    subscriber.add(
      requests.subscribe({
        next: () => {
          isAsked = true;
          answer();
        },
        error: (error: unknown) => subscriber.error(error),
      }),
    );
    // `put` throws where the queue is full, which ends the source.
    const queued = source.pipe(tap((value) => queue.put(value)));
    subscriber.add(
      queued.subscribe({
        next: answer,
        error: (error: unknown) => endBy(() => subscriber.error(error)),
        complete: () => endBy(() => subscriber.complete()),
      }),
    );
    return () => queue.clear();
  });
