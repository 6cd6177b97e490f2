import { type Hide, hiding, redactorBy } from './redact.js';
import { mayHold } from './secret-forms.js';

/**
 * Takes secrets out of every text of a value that came from outside. Where the text that it was read from is given and can
 * hold none of them, the value is given back without a look into it.
 */
export type RedactValue = <A>(value: A, raw?: string) => A;

/**
 * Makes a function that replaces these secrets in the texts and member names of a JSON value, in every encoding that
 * `redactor` knows.
 *
 * A secret of less than 8 characters is left: it may be a word or part of an id, and programs act on these values. What replaces
 * a secret comes from `hideOf`, so that it may be shared with a redactor of texts.
 */
export const valueRedactor = (
  secrets: readonly string[],
  hideOf: (secret: string) => Hide = hiding,
): RedactValue => {
  const long = secrets.filter(({ length }) => length >= shortest);
  if (long.length === 0) return (value) => value;
  const redact = redactorBy(hideOf, long);
  const isSuspect = mayHold(long);
  return (value, raw) => (raw !== undefined && !isSuspect(raw) ? value : redactJson(value, redact));
};

const shortest = 8;

/**
 * Takes secrets out of every text and member name in a JSON value. A value that holds none is given back itself, and so is
 * each part of it; bytes are not looked into.
 *
 * What is nested deeper than 72 levels is left out, which bounds the recursion. Objects that have no prototype stay without.
 */
export const redactJson = <A>(value: A, redact: (text: string) => string): A =>
  redactAt(value, redact, 0) as A;

/** Of JSON 64 levels are read; answers and frames put what was read a few levels down. */
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
