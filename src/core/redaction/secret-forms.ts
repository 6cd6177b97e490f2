/** Splits a secret into characters, but keeps a run of backslashes whole: one by one they backtrack exponentially. */
export const charactersOf = (secret: string): readonly string[] => secret.match(/\\+|./gsu) ?? [];

/** Escapes a text for use in a regular expression. */
export const escapeForPattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/**
 * Patterns of the base64 digits that depend on the secret alone, one list for each of its three alignments.
 *
 * A secret shorter than five bytes has none: so few digits would match by chance.
 */
export const base64Forms = (bytes: Uint8Array): readonly (readonly string[])[] =>
  bytes.length < minBase64Bytes ? [] : [0, 1, 2].map((offset) => base64At(bytes, offset));

/** An optional separator between the bytes of a hex dump. */
export const betweenHex = '[\\s:]?';

const minBase64Bytes = 5;

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
 * Makes a cheap test for text, and for JSON text, that a `redactor` of these secrets may change.
 *
 * False means that the redactor changes nothing. True means that the text contains some escape, or the end of a secret.
 */
export const mayContain = (secrets: readonly string[]): ((text: string) => boolean) => {
  const ends = secrets.map((secret) => new RegExp(endsOf(secret).join('|'), 'i'));
  if (ends.length === 0) return () => false;
  return (text) =>
    text.includes('\\') || text.includes('%') || text.includes('\0') || ends.some((end) => end.test(text));
};

/**
 * The last characters of a secret in each form without escapes: plain, reversed, hex and base64.
 *
 * The end rather than the start, because the keys of one service share a prefix that also occurs in its other texts.
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

/** Long enough that a text rarely contains these characters by chance. */
const endLength = 6;

/** A byte as two hexadecimal digits. */
export const hexByte = (byte: number): string => byte.toString(16).padStart(2, '0');
