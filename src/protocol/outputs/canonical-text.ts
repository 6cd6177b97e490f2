/**
 * Writes a JSON value so that equal values give equal texts, whatever the order of their members; undefined where it is
 * nested more than `depth` deep, so that no value from outside can exhaust the stack.
 */
export const canonicalText = (value: unknown, depth = 64): string | undefined => {
  if (typeof value !== 'object' || value === null) return `${typeof value}:${String(value)}`;
  if (depth === 0) return undefined;

  const parts: string[] = [];
  for (const key of Array.isArray(value) ? value.keys() : Object.keys(value).sort()) {
    const part = canonicalText((value as Readonly<Record<string, unknown>>)[key], depth - 1);
    if (part === undefined) return undefined;
    parts.push(`${JSON.stringify(key)} ${String(part.length)} ${part}`);
  }
  return `${Array.isArray(value) ? 'array' : 'object'}(${parts.join()})`;
};
