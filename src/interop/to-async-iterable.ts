import { filter, Observable } from 'rxjs';
import { bufferedValuesFrom } from 'rxjs-for-await';
import { boundedQueue, type OverflowPolicy } from './bounded-queue.js';
import { fifo } from '../streams/fifo.js';

/** Options of {@link toAsyncIterable} and `toReadableStream`. */
export interface AsyncIterableOptions {
  /** How many values may wait for the consumer; default 1,000. */
  readonly capacity?: number;
  /**
   * What happens beyond that: `error` (default) ends the iteration with `Overflow` once what waits was read;
   * `drop-oldest` loses the oldest value; `latest` keeps, at any time, only the newest preview, progress and text of
   * each node, the newest state of each job and the newest of any other values, and every other frame.
   */
  readonly overflow?: OverflowPolicy;
  /** Ends the iteration quietly, dropping what waits. */
  readonly signal?: AbortSignal;
}

/** An iterator for one consumer that frees its subscription on every way out. */
export type AsyncValues<A> = AsyncIterableIterator<A, undefined> &
  AsyncDisposable & {
    readonly return: () => Promise<IteratorResult<A, undefined>>;
    readonly throw: (error?: unknown) => Promise<IteratorResult<A, undefined>>;
  };

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
 * never loses one; beyond that it ends with `Overflow`, as `error` does. A `capacity` below 1 throws `InvalidConfig`.
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
  { capacity = 1000, overflow = 'error', signal }: AsyncIterableOptions = {},
): AsyncValues<A> => {
  const queue = boundedQueue<A>(capacity, overflow);
  const asking = fifo<Asked<A>>();
  let stop = (): void => undefined;
  let knocked = false;
  // What comes once the queue is empty: an error is told once, then it is the end.
  let end: End | undefined;

  const forgetSignal = (): void => signal?.removeEventListener('abort', leave);

  const take = (): IteratorResult<A, undefined> => {
    const value = queue.take();
    if (end !== undefined && queue.size === 0) forgetSignal();
    return { value, done: false };
  };

  const answer = (): void => {
    while (asking.size > 0 && (queue.size > 0 || end !== undefined)) {
      const { resolve, reject } = asking.take();
      if (queue.size > 0) {
        resolve(take());
      } else if (end?.failed === true) {
        reject(end.error);
        end = { failed: false };
      } else {
        resolve(done);
      }
    }
  };

  const finish = (how: End): void => {
    end ??= how;
    if (queue.size === 0) forgetSignal();
    answer();
  };

  const leave = (): void => {
    stop();
    queue.clear();
    end = { failed: false };
    forgetSignal();
    answer();
  };

  // The library's own buffer has no bound. So the values wait in our queue, read by index, and the library carries one
  // knock for each burst that somebody waits for, then the end or the error.
  const isKnock = (value: A): boolean => {
    queue.put(value);
    if (knocked || asking.size === 0) return false;
    knocked = true;
    return true;
  };
  const knocks = new Observable<A>((subscriber) => {
    stop = () => subscriber.complete();
    observable.pipe(filter(isKnock)).subscribe(subscriber);
  });

  const listen = async (): Promise<void> => {
    const batches = bufferedValuesFrom(knocks);
    try {
      while ((await batches.next()).done !== true) {
        knocked = false;
        answer();
      }
      finish({ failed: false });
    } catch (error) {
      finish({ failed: true, error });
    }
  };

  if (signal?.aborted === true) {
    end = { failed: false };
  } else {
    signal?.addEventListener('abort', leave, { once: true });
    // The first step of the loop subscribes, and it is taken now.
    void listen();
  }

  return {
    next: () => {
      if (queue.size > 0 && asking.size === 0) return Promise.resolve(take());
      return new Promise((resolve, reject) => {
        asking.put({ resolve, reject });
        answer();
      });
    },
    return: () => {
      leave();
      return Promise.resolve(done);
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

const done = { value: undefined, done: true } as const;

type End = { readonly failed: false } | { readonly failed: true; readonly error: unknown };

/** A `next()` that waits for its answer. */
interface Asked<A> {
  readonly resolve: (result: IteratorResult<A, undefined>) => void;
  readonly reject: (error: unknown) => void;
}
