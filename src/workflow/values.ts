import { isJsonObject } from '../core/protocol/json/json.js';
import { kept } from './kept.js';

/** A JSON object of which nothing is known. */
export type Json = Readonly<Record<string, unknown>>;

export const objectOf = (value: unknown): Json => (isJsonObject(value) ? value : noMembers);

const noMembers: Json = {};

/** A list; the holes that a program may leave in one are undefined in it, as `map` and `filter` pass over holes. */
export const listOf = (value: unknown): readonly unknown[] => {
  if (!Array.isArray(value)) return noItems;
  const list: readonly unknown[] = value;
  return list.includes(undefined) ? [...list] : list;
};

const noItems: readonly unknown[] = [];

/** An id as text; undefined for what is no id. */
export const idOf = (value: unknown): string | undefined =>
  typeof value === 'number' || typeof value === 'string' || typeof value === 'bigint'
    ? String(value)
    : undefined;

/** A text; undefined for anything else. */
export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** A boolean, number or text as text; undefined for anything else. */
export const scalarText = (value: unknown): string | undefined =>
  typeof value === 'boolean' ? String(value) : idOf(value);

/** An own member of an object; undefined if the object lacks it. */
export const ownOf = (value: object, name: string): unknown =>
  Object.hasOwn(value, name) ? (value as Json)[name] : undefined;

/** A list under a key of a map, made where it is missing. */
export const listAt = <K, A>(lists: Map<K, A[]>, key: K): A[] => kept(lists, key, () => []);
