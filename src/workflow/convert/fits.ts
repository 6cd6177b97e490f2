import { typesMeet } from '../types-meet.js';

/** Whether an output of one type may feed an input of another: one of them is the wildcard `*`, or they share a type without case. */
export const fits = (one: string, other: string): boolean =>
  one === '*' || other === '*' || typesMeet(one.toLowerCase(), other.toLowerCase());
