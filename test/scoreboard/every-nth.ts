import type { Range } from './figure.js';

/** The seeds of a range that are multiples of `n`. */
export const everyNth = ({ from, count }: Range, n: number): readonly number[] => {
  const first = Math.ceil(from / n);
  const last = Math.floor((from + count - 1) / n);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => (first + index) * n);
};
