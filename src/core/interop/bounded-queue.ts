import { conflationKey } from '../protocol/frames/conflation-key.js';
import { serviceError } from '../errors/service-error.js';

/** What happens when a consumer leaves more values unread than may wait: see `toAsyncIterable`. */
export type OverflowPolicy = 'latest' | 'drop-oldest' | 'error';

/** A queue in which each operation costs the same, however long it is: `Array.prototype.shift` makes draining quadratic. */
export interface Queue<A> {
  readonly size: number;
  readonly put: (value: A) => void;
  /** The oldest value; call it only while `size` is above 0. */
  readonly take: () => A;
  readonly clear: () => void;
}

/**
 * A queue of at most `capacity` values; `put` throws the `ServiceError` `Overflow` where nothing may be dropped.
 *
 * With `latest` it keeps the newest value of each key, and every value that has none, in the order of arrival: at
 * `capacity` the oldest value with a key makes room. `key` says which values replace each other; default `conflationKey`.
 */
export const boundedQueue = <A>(
  capacity: number,
  overflow: OverflowPolicy,
  key?: (value: A) => string | undefined,
): Queue<A> => {
  if (!(capacity >= 1)) {
    throw serviceError('InvalidConfig', {
      option: 'capacity',
      message: 'capacity is a number of values, at least 1.',
    });
  }
  if (key !== undefined && overflow !== 'latest') {
    throw serviceError('InvalidConfig', {
      option: 'key',
      message: "key goes with overflow: 'latest' only: elsewhere no value replaces another one.",
    });
  }

  if (overflow === 'latest') return newest(capacity, key);
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

/** Below this many taken places there is nothing worth giving back. */
const minSpare = 1024;

/** An array that is read by index; the places that were read are given back in bulk. */
const fifo = <A>(): Queue<A> => {
  let values: (A | undefined)[] = [];
  let head = 0;

  return {
    get size() {
      return values.length - head;
    },
    put: (value) => void values.push(value),
    take: () => {
      const value = values[head] as A;
      // So that a picture that was taken can be collected.
      values[head] = undefined;
      head += 1;
      if (head >= minSpare && head * 2 >= values.length) {
        values = values.slice(head);
        head = 0;
      }
      return value;
    },
    clear: () => {
      values = [];
      head = 0;
    },
  };
};

/** A Map keeps the order of arrival; values without a key stand under a number of their own. */
const newest = <A>(capacity: number, keyOf: (value: A) => string | undefined = conflationKey): Queue<A> => {
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
      const key = keyOf(value);
      if (key !== undefined) values.delete(key);
      if (values.size >= capacity && !dropOldest()) throw serviceError('Overflow', { capacity });
      values.set(key ?? unkeyed++, value);
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
