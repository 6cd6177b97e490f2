import { peekBinaryPromptId } from './peek-binary.js';
import { idKey, nextKey, quote, startOfValue, typeKey } from './peek-frame.js';

/** Where the id of a job stands: in a message, or by itself. Empty where it is nobody's. */
export interface IdAt {
  readonly text: string;
  readonly start: number;
  /** Behind its last character. */
  readonly end: number;
}

/**
 * Whose a message is, where nobody else has to decode it: the job of one that is one of very many (progress, a picture or a
 * text that names its job), or nobody for an event that names no job, which concerns those who take every frame; undefined
 * for any other one.
 *
 * It tells of texts what `peekText` does. The id is not cut out of its text, since V8 takes long to look up what was.
 */
export const peekOwner = (data: string | ArrayBuffer, promptText?: boolean): IdAt | undefined => {
  if (typeof data === 'string') return peekTextOwner(data);
  const text = peekBinaryPromptId(new Uint8Array(data), promptText);
  return text === undefined ? undefined : { text, start: 0, end: text.length };
};

const peekTextOwner = (text: string): IdAt | undefined => {
  const hasEscapes = text.includes('\\');
  // A letter of a key may hide in such an escape, as in `peekText`.
  if (hasEscapes && text.includes('\\u00')) return undefined;
  const type = startOfType(text);
  // Whoever has the socket heeds what the server announces.
  if (type === undefined || text.startsWith('"feature_flags"', type)) return undefined;
  let first: string | undefined;
  let start = 0;
  let end = -1;
  for (let at = text.indexOf(idKey); at !== -1; at = text.indexOf(idKey, at + idKey.length)) {
    const value = startOfValue(text, idKey, at);
    if (value === undefined || text.charCodeAt(value) !== quote) continue;
    if (end === -1) {
      start = value + 1;
      end = text.indexOf('"', start);
      if (end === -1) return undefined;
    } else {
      // With the closing quote, so that none is the beginning of another.
      first ??= text.slice(start, end + 1);
      if (text.slice(value + 1, value + 1 + first.length) !== first) return undefined;
    }
  }
  if (end <= start) return nobody;
  if (!text.startsWith('"progress"', type) && !text.startsWith('"progress_state"', type)) return undefined;
  return hasEscapes && text.slice(start, end).includes('\\') ? undefined : { text, start, end };
};

const nobody: IdAt = { text: '', start: 0, end: 0 };

/** Where the only `type` of a text begins, if it is a string. */
const startOfType = (text: string): number | undefined => {
  const type = nextKey(text, typeKey, 0);
  if (type === undefined || nextKey(text, typeKey, type) !== undefined) return undefined;
  return text.charCodeAt(type) === quote ? type : undefined;
};
