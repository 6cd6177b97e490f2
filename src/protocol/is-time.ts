/** Tells whether a value from outside is a moment, in milliseconds since 1970. */
export const isTime = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value);
