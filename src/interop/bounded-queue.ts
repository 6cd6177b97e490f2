import { conflationKey } from '../protocol/frames/conflation-key.js';
import { serviceError } from '../errors/service-error.js';

/** What happens when a consumer leaves more values unread than may wait: see `toAsyncIterable`. */
export type OverflowPolicy = 'latest' | 'drop-oldest' | 'error';

/** A queue in which each operation costs the same, however long it is. */
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

  // A Map is a queue whose values can be replaced by key; `Array.prototype.shift` would make draining quadratic.
  // Values without a key are filed under a number of their own.
  const values = new Map<string | number, A>();
  let count = 0;
  // One iterator for the whole drain: a new one would step over all the places that were emptied before.
  let oldest = values.entries();

  const take = (): A => {
    const [name, value] = oldest.next().value as [string | number, A];
    values.delete(name);
    // An iterator that has come to the end stays there.
    if (values.size === 0) oldest = values.entries();
    return value;
  };
  const makeRoom = (): void => {
    if (overflow === 'drop-oldest') {
      take();
      return;
    }
    for (const name of values.keys()) if (typeof name === 'string') return void values.delete(name);
    throw serviceError('Overflow', { capacity });
  };

  return {
    get size() {
      return values.size;
    },
    put: (value) => {
      const name = overflow === 'latest' ? (key ?? conflationKey)(value) : undefined;
      if (name !== undefined) values.delete(name);
      if (values.size >= capacity) makeRoom();
      values.set(name ?? count++, value);
    },
    take,
    clear: () => {
      values.clear();
      oldest = values.entries();
    },
  };
};
