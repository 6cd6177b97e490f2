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
