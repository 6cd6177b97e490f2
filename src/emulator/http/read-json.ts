/** A JSON object as it came; look members up with `Object.hasOwn`, or through the prototype-less copy made here. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Reads a body as a JSON object without a prototype; an empty one is `{}`, anything else is `undefined`. */
export const readJsonObject = (text: string): JsonObject | undefined => {
  if (text.trim() === '') return asJsonObject({});
  try {
    return asJsonObject(JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
};

/** The value as an object without a prototype, if it is a JSON object. */
export const asJsonObject = (value: unknown): JsonObject | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (Object.assign(Object.create(null) as object, value) as JsonObject)
    : undefined;

/** The bytes that a request wants, both ends inclusive. */
export type ByteRange = { readonly start: number; readonly end: number } | 'whole' | 'unsatisfiable';

/** Reads a `Range` header of one range; anything else asks for the whole. */
export const readRange = (header: string | undefined, size: number): ByteRange => {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return 'whole';
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  return start > end || start >= size ? 'unsatisfiable' : { start, end };
};
