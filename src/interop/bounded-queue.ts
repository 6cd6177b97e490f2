import { serviceError } from '../protocol/errors/service-error.js';
import { fifo, type Fifo } from '../streams/fifo.js';
import { newest } from './newest.js';

/** What happens when a consumer has left as many values lying as it may: see `toAsyncIterable`. */
export type OverflowPolicy = 'latest' | 'drop-oldest' | 'error';

/**
 * A queue of at most `capacity` values; `put` throws the `ServiceError` `Overflow` where nothing may be dropped. With `latest`,
 * `key` says which values replace each other; default: as `conflationKey` says.
 */
export const boundedQueue = <A>(
  capacity: number,
  overflow: OverflowPolicy,
  key?: (value: A) => string | undefined,
): Fifo<A> => {
  if (!(capacity >= 1)) {
    throw serviceError('InvalidConfig', {
      option: 'capacity',
      message: 'capacity is a number of values, at least 1.',
    });
  }
  if (overflow === 'latest') return newest(capacity, key);
  if (key !== undefined) {
    throw serviceError('InvalidConfig', {
      option: 'key',
      message: "key goes with overflow: 'latest' only: elsewhere no value replaces another one.",
    });
  }

  const queue = fifo<A>();
  return {
    get size() {
      return queue.size;
    },
    put: (value) => {
      if (queue.size >= capacity) {
        if (overflow === 'error') throw serviceError('Overflow', { capacity });
        queue.take();
      }
      queue.put(value);
    },
    take: queue.take,
    clear: queue.clear,
  };
};
