import { type Redact, secretRedactor, redactorWith } from './redact.js';
import { mayContain } from './secret-forms.js';

/**
 * Removes secrets from every string of an untrusted value. `raw` is the text that the value was parsed from: where it can
 * contain no secret, the value is returned as it is, without a walk through it.
 */
export type RedactValue = <A>(value: A, raw?: string) => A;

/**
 * Makes a function that replaces these secrets in the strings and member names of a JSON value, in every encoding that
 * `redactor` knows.
 *
 * Secrets shorter than 8 characters stay: they may be a word or part of an id, and programs act on these values.
 * `redactorFor` makes the function for one secret; a caller passes its own to share compiled patterns with a redactor of
 * texts.
 */
export const valueRedactor = (
  secrets: readonly string[],
  redactorFor: (secret: string) => Redact = secretRedactor,
): RedactValue => {
  const long = secrets.filter(({ length }) => length >= minLength);
  if (long.length === 0) return (value) => value;
  const redact = redactorWith(redactorFor, long);
  const isSuspect = mayContain(long);
  return (value, raw) => (raw !== undefined && !isSuspect(raw) ? value : redactJson(value, redact));
};

const minLength = 8;

/**
 * Removes secrets from every string and member name of a JSON value. A value, or a part of it, that contains no secret
 * keeps its identity; byte arrays are not searched.
 *
 * Levels below the 72nd become null, which bounds the recursion. An object keeps its prototype, or the lack of one.
 */
export const redactJson = <A>(value: A, redact: (text: string) => string): A =>
  redactAt(value, redact, 0) as A;

/** `parseJson` accepts 64 levels; answers and frames wrap the parsed value in a few more. */
const maxDepth = 72;

const redactAt = (value: unknown, redact: (text: string) => string, depth: number): unknown => {
  if (typeof value === 'string') return redact(value);
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  if (depth === maxDepth) return null;
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    const safe = items.map((item) => redactAt(item, redact, depth + 1));
    return safe.some((item, at) => item !== items[at]) ? safe : value;
  }
  const members = Object.entries(value).map(([name, member]): Member => {
    const safe = redactAt(member, redact, depth + 1);
    const safeName = redact(name);
    return { name: safeName, value: safe, isNew: safe !== member || safeName !== name };
  });
  return members.some(({ isNew }) => isNew)
    ? objectOf(members, Object.getPrototypeOf(value) as object | null)
    : value;
};

interface Member {
  readonly name: string;
  readonly value: unknown;
  readonly isNew: boolean;
}

const objectOf = (members: readonly Member[], prototype: object | null): object => {
  const copy = Object.create(prototype) as object;
  for (const { name, value } of members) {
    // Plain assignment to `__proto__` would set the prototype.
    Object.defineProperty(copy, name, { value, configurable: true, enumerable: true, writable: true });
  }
  return copy;
};
