import { idKey, nextKey, quote } from './peek-frame.js';

/** Where the id of a job stands: in a message, or by itself. Empty where it is nobody's. */
export interface IdAt {
  readonly text: string;
  readonly start: number;
  /** Behind its last character. */
  readonly end: number;
}

/**
 * Finds the only job that some JSON text names, at whatever depth, without parsing it; nobody where it names none.
 * Undefined where it names several, or where that would take parsing.
 */
export const soleId = (text: string): IdAt | undefined => {
  const hasEscapes = text.includes('\\');
  // A letter of a key may hide in such an escape, as in `peekText`.
  if (hasEscapes && text.includes('\\u00')) return undefined;
  let first: string | undefined;
  let start = 0;
  let end = -1;
  for (let value = nextKey(text, idKey, 0); value !== undefined; value = nextKey(text, idKey, value)) {
    if (text.charCodeAt(value) !== quote) continue;
    if (end === -1) {
      start = value + 1;
      end = text.indexOf('"', start);
      if (end === -1) return undefined;
    } else {
      // With the closing quote, so that none is the beginning of another.
      first ??= text.slice(start, end + 1);
      // By a slice, as `startsWith` takes V8 twice as long.
      if (text.slice(value + 1, value + 1 + first.length) !== first) return undefined;
    }
  }
  if (end <= start) return nobody;
  return hasEscapes && text.slice(start, end).includes('\\') ? undefined : { text, start, end };
};

const nobody: IdAt = { text: '', start: 0, end: 0 };
