/** The characters of a secret, a run of backslashes as one: one by one they would match a longer run in very many ways. */
export const charactersOf = (secret: string): readonly string[] =>
  Array.from(secret.matchAll(/\\+|./gsu), ([piece]) => piece);

/** Makes a pattern that matches a text literally. */
export const escapeForPattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/**
 * The patterns of the base64 digits that only the secret decides, one list for each offset into a group of three bytes.
 *
 * A secret of less than five bytes has none: so few digits would match by chance.
 */
export const base64Forms = (bytes: Uint8Array): readonly (readonly string[])[] =>
  bytes.length < shortestInBase64 ? [] : [0, 1, 2].map((offset) => base64At(bytes, offset));

/** What may stand between the bytes of a secret in hex. */
export const betweenHex = '[\\s:]?';

const shortestInBase64 = 5;

const base64At = (bytes: Uint8Array, offset: number): readonly string[] => {
  const padded = String.fromCharCode(...new Uint8Array(offset), ...bytes);
  const certain = btoa(padded).slice(Math.ceil((offset * 8) / 6), Math.floor((padded.length * 8) / 6));
  return Array.from(certain, (digit) => base64Digits.get(digit) ?? digit);
};

const base64Digits = new Map([
  ['+', '(?:\\+|-|%2b)'],
  ['/', '(?:\\\\{0,4}\\/|_|%2f)'],
]);
