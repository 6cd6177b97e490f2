import { isJsonSpace } from '../json/json.js';

/** The result of {@link peekText}. */
export interface PeekedText {
  /** The message's `type`; undefined if that would take parsing. */
  readonly type?: string | undefined;
  /**
   * Every value of a key `prompt_id`, at any depth: if the message names a job, it is one of these. Undefined if that would
   * take parsing.
   */
  readonly promptIds?: readonly string[] | undefined;
}

/**
 * Finds the `type` and the jobs of a text message without parsing it, so that traffic of foreign jobs costs little.
 *
 * Unless `decodeFrame` finds the text malformed, it returns the same `type`, and its job is among `promptIds`. The converse does not
 * hold: an id may be deep in some node's output. It takes time linear in the text, also for text that is not JSON.
 */
export const peekText = (text: string): PeekedText => {
  // A letter of a key may hide in such an escape; no other escape yields a letter of ASCII.
  if (text.includes('\\u00')) return {};
  return { type: peekType(text), promptIds: peekPromptIds(text) };
};

/** The `prompt_id` values, as in {@link PeekedText}. */
const peekPromptIds = (json: string): readonly string[] | undefined => {
  const ids: string[] = [];
  for (let start = nextKey(json, idKey, 0); start !== undefined; start = nextKey(json, idKey, start)) {
    // Without a quote it is no id.
    if (json.charCodeAt(start) !== quote) continue;
    const id = simpleString(json, start);
    if (id === undefined) return undefined;
    if (id !== ids.at(-1)) ids.push(id);
  }
  return ids;
};

/** Keys without their first quote: texts are searched for the first character, and every word of JSON has quotes. */
const idKey = 'prompt_id"';
const typeKey = 'type"';
const quote = 0x22;
const colon = 0x3a;

/** Only where the text has a single key `type`: of several, parsing alone finds the outermost one. */
const peekType = (text: string): string | undefined => {
  const start = nextKey(text, typeKey, 0);
  if (start === undefined || nextKey(text, typeKey, start) !== undefined) return undefined;
  return text.charCodeAt(start) === quote ? simpleString(text, start) : undefined;
};

/** Where the value of the next such key starts. */
const nextKey = (text: string, key: string, from: number): number | undefined => {
  for (let at = text.indexOf(key, from); at !== -1; at = text.indexOf(key, at + key.length)) {
    const start = startOfValue(text, key, at);
    if (start !== undefined) return start;
  }
  return undefined;
};

/** Where the value of the key at `start` begins; undefined if what stands there is no key. */
const startOfValue = (text: string, key: string, start: number): number | undefined => {
  if (text.charCodeAt(start - 1) !== quote) return undefined;
  const at = skipSpace(text, start + key.length);
  return text.charCodeAt(at) === colon ? skipSpace(text, at + 1) : undefined;
};

const skipSpace = (text: string, from: number): number => {
  let at = from;
  for (let code = text.charCodeAt(at); isJsonSpace(code); code = text.charCodeAt(at)) at += 1;
  return at;
};

/** The content of the string that opens at `start`, unless it holds an escape or does not end. */
const simpleString = (text: string, start: number): string | undefined => {
  const end = text.indexOf('"', start + 1);
  if (end === -1) return undefined;
  const content = text.slice(start + 1, end);
  return content.includes('\\') ? undefined : content;
};
