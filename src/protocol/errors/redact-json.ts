/**
 * Takes secrets out of every text in a JSON value; what is nested deeper than 64 levels is left out, as nobody reads it.
 *
 * Members keep their names, and objects that have no prototype stay without.
 */
export const redactJson = <A>(value: A, redact: (text: string) => string): A =>
  redactAt(value, redact, 0) as A;

const maxDepth = 64;

const redactAt = (value: unknown, redact: (text: string) => string, depth: number): unknown => {
  if (typeof value === 'string') return redact(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === maxDepth) return null;
  if (Array.isArray(value)) return value.map((item) => redactAt(item, redact, depth + 1));
  const copy = Object.create(Object.getPrototypeOf(value) as object | null) as Record<string, unknown>;
  for (const [name, member] of Object.entries(value)) {
    // Plain assignment to `__proto__` would set the prototype.
    Object.defineProperty(copy, name, {
      value: redactAt(member, redact, depth + 1),
      configurable: true,
      enumerable: true,
      writable: true,
    });
  }
  return copy;
};
