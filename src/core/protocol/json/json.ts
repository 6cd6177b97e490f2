/** Whether a parsed JSON value is an object, that is, neither null nor an array. */
export const isJsonObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a byte or UTF-16 unit is JSON whitespace. */
export const isJsonSpace = (code: number | undefined): boolean =>
  code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

/** Whether an untrusted value is a point in time, in milliseconds since 1970. */
export const isTime = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value);

/** As many values parse in some hundredths of a second; the largest answers of real services have a tenth of them. */
const maxValues = 250_000;

const comma = 0x2c;
const bracket = 0x5b;
const brace = 0x7b;

/**
 * Whether a JSON text has so many values that parsing it would block the program and exhaust its memory: some megabytes of
 * `{},{},…` cost more than ten times as much as one long string.
 *
 * Delimiters inside strings count as well, because a string may contain JSON that is parsed later. A short text is not
 * scanned.
 */
export const tooManyValues = (text: string, most = maxValues): boolean =>
  text.length > most && countValues(text, most) > most;

/** Counts the values of a JSON text as {@link tooManyValues} does, up to one more than `most`. */
export const countValues = (text: string, most: number): number => {
  let values = 1;
  for (let at = 0; at < text.length && values <= most; at += 1) {
    const code = text.charCodeAt(at);
    if (code === comma || code === bracket || code === brace) values += 1;
  }
  return values;
};
