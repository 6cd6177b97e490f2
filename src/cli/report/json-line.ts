/** Writes a value as one line of JSON in which nothing can act on a terminal: risky characters are `\u` escapes. */
export const jsonLine = (value: object): string =>
  JSON.stringify(value).replace(
    risky,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

// What JSON leaves as it is: DEL, C1, direction and zero-width characters, line separators.
const risky =
  /[\u007F-\u009F\u00AD\u061C\u200B\u200C\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB]/gu;
