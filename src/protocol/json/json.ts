/** Tells whether a parsed JSON value is an object, and so neither null nor a list. */
export const isJsonObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether JSON takes this character, a byte or a UTF-16 unit, for nothing where no string is. */
export const isJsonSpace = (code: number | undefined): boolean =>
  code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

/** Tells whether a value from outside is a moment, in milliseconds since 1970. */
export const isTime = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value);

/** What reads in a few hundredths of a second; large answers of large workflows have a tenth of it. */
const maxValues = 250_000;

const comma = 0x2c;
const bracket = 0x5b;
const brace = 0x7b;

/**
 * Whether a JSON text holds so many values that reading it would stop the program for long and take its memory: some
 * megabytes of `{},{},…` cost more than ten times as much as one long string.
 *
 * Marks in strings count as well, since a string may hold JSON that is read later. Costs nothing for texts that are too
 * short for it.
 */
export const tooManyValues = (text: string): boolean => text.length > maxValues && countsTooMany(text);

const countsTooMany = (text: string): boolean => {
  let values = 1;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if ((code === comma || code === bracket || code === brace) && (values += 1) > maxValues) return true;
  }
  return false;
};
