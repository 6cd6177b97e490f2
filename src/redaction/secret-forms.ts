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

/**
 * Makes a cheap test for text that a `redactor` of these secrets may change, and JSON text whose strings it may change.
 *
 * False means that it changes nothing. True means that there is an escape of some encoding, or the end of a secret.
 */
export const mayHold = (secrets: readonly string[]): ((text: string) => boolean) => {
  const ends = secrets.map((secret) => new RegExp(endsOf(secret).join('|'), 'i'));
  if (ends.length === 0) return () => false;
  return (text) =>
    text.includes('\\') || text.includes('%') || text.includes('\0') || ends.some((end) => end.test(text));
};

/**
 * How the secret ends wherever nothing in it is escaped: as it is, reversed, in hex and in base64.
 *
 * The ends, since keys of one service begin alike, often with a word that is common in its other texts.
 */
const endsOf = (secret: string): readonly string[] => {
  const characters = charactersOf(secret).map((piece) => (piece === ' ' ? '[ +]' : escapeForPattern(piece)));
  const bytes = new TextEncoder().encode(secret);
  return [
    characters.slice(-endLength).join(''),
    characters.toReversed().slice(-endLength).join(''),
    Array.from(bytes, hexByte)
      .slice(-endLength / 2)
      .join(betweenHex),
    ...base64Forms(bytes).map((digits) => digits.slice(-endLength).join('')),
  ];
};

/** So much of a secret's end stands in hardly any text by chance. */
const endLength = 6;

/** A byte as two hexadecimal digits. */
export const hexByte = (byte: number): string => byte.toString(16).padStart(2, '0');
