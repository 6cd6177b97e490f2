import { isJsonObject } from '../../protocol/json/json.js';
import { writeExactJson } from '../../protocol/json/exact-json.js';

/** Whether two JSON values are one: the order of members does not count, and an integer is one as `bigint` or as a number. */
export const sameValue = (one: unknown, other: unknown): boolean =>
  one === other || textOf(one) === textOf(other);

/** A JSON text that is the same for values that are the same. */
export const textOf = (value: unknown): string => writeExactJson([sorted(value)]);

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [name, sorted(member)] as const);
  return Object.fromEntries(members.toSorted(([one], [other]) => (one < other ? -1 : 1)));
};
