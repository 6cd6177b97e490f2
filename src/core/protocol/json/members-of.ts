import { endOfString } from './parse-json.js';
import { isJsonSpace } from './json.js';

/** One member of a JSON object, as source text. */
export interface WrittenMember {
  /** Where its name begins in the text. */
  readonly start: number;
  /** With its quotes. */
  readonly name: string;
  readonly value: string;
}

/**
 * Splits a JSON object into its members without parsing them, so that a large one can be parsed in pieces.
 *
 * Returns whether the text was one whole object. It only finds where names and values end; they may still be invalid JSON.
 */
export function* membersOf(text: string): Generator<WrittenMember, boolean, undefined> {
  let at = skipBlanks(text, 0);
  if (text[at] !== '{') return false;
  at = skipBlanks(text, at + 1);
  while (text[at] === '"') {
    const colon = endOfString(text, at);
    const start = skipBlanks(text, colon) + 1;
    const end = endOfValue(text, start);
    if (text[start - 1] !== ':' || (text[end] !== ',' && text[end] !== '}')) return false;
    yield { start: at, name: text.slice(at, colon), value: text.slice(start, end) };
    if (text[end] === '}') return skipBlanks(text, end + 1) === text.length;
    at = skipBlanks(text, end + 1);
    // Another member must follow a comma.
    if (text[at] !== '"') return false;
  }
  return text[at] === '}' && skipBlanks(text, at + 1) === text.length;
}

const skipBlanks = (text: string, start: number): number => {
  let at = start;
  while (isJsonSpace(text.charCodeAt(at))) at += 1;
  return at;
};

/** The index of the comma or brace after the value, or of an unexpected character. */
const endOfValue = (text: string, start: number): number => {
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = endOfString(text, at);
      continue;
    }
    if (code === brace || code === bracket) depth += 1;
    else if (depth === 0 && (code === comma || code === endOfBrace || code === endOfBracket)) return at;
    else if (code === endOfBrace || code === endOfBracket) depth -= 1;
    at += 1;
  }
  return at;
};

const quote = 0x22;
const comma = 0x2c;
const bracket = 0x5b;
const endOfBracket = 0x5d;
const brace = 0x7b;
const endOfBrace = 0x7d;
