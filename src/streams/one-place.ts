import type { Fifo } from './fifo.js';

/** A queue of one place: what is put into it takes the place of what waits. */
export const onePlace = <A>(): Fifo<A> => {
  let waiting: A[] = [];
  return {
    get size() {
      return waiting.length;
    },
    put: (value) => {
      waiting = [value];
    },
    take: () => waiting.pop() as A,
    clear: () => {
      waiting = [];
    },
  };
};
