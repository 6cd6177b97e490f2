import { hexByte } from '../hex-byte.js';
import { base64Forms, betweenHex, charactersOf, escapeForPattern } from './secret-forms.js';

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
