/** A queue in which each operation costs the same, however long it is. */
export interface Fifo<A> {
  readonly size: number;
  readonly put: (value: A) => void;
  /** The oldest value; call it only while `size` is above 0. */
  readonly take: () => A;
  readonly clear: () => void;
}

/** Below this many taken places there is nothing worth giving back. */
const leastSpare = 1024;

/**
 * An array read by index: `Array.prototype.shift` moves every value that remains, which makes draining quadratic.
 *
 * Places that were read are emptied at once, so that a taken picture can be collected, and given back in bulk when they
 * outnumber the rest.
 */
export const fifo = <A>(): Fifo<A> => {
  let values: (A | undefined)[] = [];
  let head = 0;

  return {
    get size() {
      return values.length - head;
    },
    put: (value) => void values.push(value),
    take: () => {
      const value = values[head] as A;
      values[head] = undefined;
      head += 1;
      if (head >= leastSpare && head * 2 >= values.length) {
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
