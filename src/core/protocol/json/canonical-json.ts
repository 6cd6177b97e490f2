/**
 * Writes a JSON value so that equal values give equal texts, independent of the order of their members; undefined if it
 * is nested more than `depth` deep, so that no untrusted value can exhaust the stack.
 */
export const canonicalJson = (value: unknown, depth = 64): string | undefined => {
  if (typeof value !== 'object' || value === null) return `${typeof value}:${String(value)}`;
  if (depth === 0) return undefined;

  const parts: string[] = [];
  for (const key of Array.isArray(value) ? value.keys() : Object.keys(value).sort()) {
    const part = canonicalJson((value as Readonly<Record<string, unknown>>)[key], depth - 1);
    if (part === undefined) return undefined;
    parts.push(`${JSON.stringify(key)} ${String(part.length)} ${part}`);
  }
  return `${Array.isArray(value) ? 'array' : 'object'}(${parts.join()})`;
};
