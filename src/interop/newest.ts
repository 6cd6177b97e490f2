import { conflationKey } from '../protocol/frames/conflation-key.js';
import { serviceError } from '../protocol/errors/service-error.js';
import type { Fifo } from '../streams/fifo.js';

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
