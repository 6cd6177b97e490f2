import { conflationKey } from '../protocol/frames/conflation-key.js';
import { fifo, type Fifo } from '../streams/fifo.js';
import { serviceError } from '../errors/service-error.js';

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

/**
 * A queue that keeps the newest value of each key, and every value that has none, in the order of arrival.
 *
 * At `capacity` the oldest value with a key makes room; where there is none, `put` throws the `ServiceError` `Overflow`.
 */
export const newest = <A>(
  capacity: number,
  keyOf: (value: A) => string | undefined = conflationKey,
): Fifo<A> => {
  // Values without a key are filed under a number of their own.
  const values = new Map<string | number, A>();
  let unkeyed = 0;
  // One iterator for the whole drain: a new one would step over all the places that were emptied before.
  let oldest = values.entries();

  const dropOldest = (): boolean => {
    for (const key of values.keys()) if (typeof key === 'string') return values.delete(key);
    return false;
  };

  return {
    get size() {
      return values.size;
    },
    put: (value) => {
      const key = keyOf(value) ?? unkeyed++;
      values.delete(key);
      if (values.size >= capacity && !dropOldest()) throw serviceError('Overflow', { capacity });
      values.set(key, value);
    },
    take: () => {
      const [key, value] = oldest.next().value as [string | number, A];
      values.delete(key);
      // An iterator that has come to the end stays there.
      if (values.size === 0) oldest = values.entries();
      return value;
    },
    clear: () => {
      values.clear();
      oldest = values.entries();
    },
  };
};
