import { endOfString } from './end-of-string.js';
import { tooDeep } from './too-deep.js';

/**
 * Reads JSON as services written in Python send it: bare `NaN`, `Infinity` and `-Infinity` become `null`.
 *
 * Undefined, which no JSON stands for, where the text is none, and where one of 512 characters or more is nested deeper
 * than 64 levels. Text without such numbers costs one `JSON.parse`; text with them costs one pass more (docs/protocol.md,
 * chapter 6).
 */
export const parseJson = (text: string): unknown => {
  const value = parse(text);
  return tooDeep(text, value) ? undefined : value;
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return parseWithoutNumbersOfPython(text);
  }
};

const parseWithoutNumbersOfPython = (text: string): unknown => {
  if (!text.includes('NaN') && !text.includes('Infinity')) return undefined;
  try {
    return JSON.parse(withNulls(text)) as unknown;
  } catch {
    return undefined;
  }
};

const quote = 0x22;
const minus = 0x2d;
const letterN = 0x4e;
const letterI = 0x49;

/**
 * Replaces the numbers outside strings. Wherever a number is no value of its own (`1NaN`), `null` is none either, so
 * text that was not JSON for another reason stays so.
 */
const withNulls = (text: string): string => {
  const parts: string[] = [];
  let copied = 0;
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = endOfString(text, at);
      continue;
    }
    const length = code === letterN || code === letterI || code === minus ? lengthOfNumber(text, at) : 0;
    if (length > 0) {
      parts.push(text.slice(copied, at), 'null');
      copied = at + length;
    }
    at += Math.max(length, 1);
  }
  parts.push(text.slice(copied));
  return parts.join('');
};

const lengthOfNumber = (text: string, at: number): number =>
  ['NaN', 'Infinity', '-Infinity'].find((word) => text.startsWith(word, at))?.length ?? 0;
