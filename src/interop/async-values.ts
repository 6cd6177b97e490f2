/// <reference lib="esnext.disposable" preserve="true" />
import { filter, Observable } from 'rxjs';
import { bufferedValuesFrom } from 'rxjs-for-await';
import { fifo, type Fifo } from '../streams/fifo.js';

/** An iterator for one consumer that frees its subscription on every way out. */
export type AsyncValues<A> = AsyncIterableIterator<A, undefined> &
  AsyncDisposable & {
    readonly return: () => Promise<IteratorResult<A, undefined>>;
    readonly throw: (error?: unknown) => Promise<IteratorResult<A, undefined>>;
  };

/**
 * Reads an Observable by way of this queue, which says what is lost where the consumer is slow; see `toAsyncIterable`, which
 * chooses among the queues there are. What `put` throws ends the iteration.
 */
export const asyncValues = <A>(
  observable: Observable<A>,
  queue: Fifo<A>,
  signal?: AbortSignal,
): AsyncValues<A> => {
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
