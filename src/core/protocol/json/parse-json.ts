/**
 * Parses JSON as services written in Python send it: bare `NaN`, `Infinity` and `-Infinity` become `null`.
 *
 * Returns undefined, which is no JSON value, for invalid JSON and for a text of 512 characters or more that is nested deeper
 * than 64 levels. Text without such numbers costs one `JSON.parse`; text with them costs another pass (docs/protocol.md,
 * chapter 6).
 *
 * @param read - Parses the text; by default `JSON.parse`. It throws for invalid JSON.
 */
export const parseJson = (text: string, read: (text: string) => unknown = JSON.parse): unknown => {
  const value = parse(text, read);
  return tooDeep(text, value) ? undefined : value;
};

const parse = (text: string, read: (text: string) => unknown): unknown => {
  try {
    return read(text);
  } catch {
    return parseWithPythonNumbers(text, read);
  }
};

const parseWithPythonNumbers = (text: string, read: (text: string) => unknown): unknown => {
  if (!text.includes('NaN') && !text.includes('Infinity')) return undefined;
  try {
    return read(withNulls(text));
  } catch {
    return undefined;
  }
};

const quote = 0x22;
const minus = 0x2d;
const letterN = 0x4e;
const letterI = 0x49;

/**
 * Replaces Python's numbers outside strings by `null`. Where such a number is not a whole value (`1NaN`), the result is
 * invalid as well, so no other invalid text becomes valid.
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

const backslash = 0x5c;

/** The index after the closing quote of the JSON string that opens at `start`; the text's end or beyond if it does not close. */
export const endOfString = (text: string, start: number): number => {
  let at = start + 1;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === quote) return at + 1;
    at += code === backslash ? 2 : 1;
  }
  return at;
};

/** The deepest nesting that is accepted; real messages have a dozen levels. */
const maxLevels = 64;

/** Shorter texts, which most messages of a socket are, are not checked: they have at most 255 levels, which is harmless. */
const minCheckedLength = 512;

/**
 * Whether a value is nested deeper than 64 levels, if its text has 512 characters or more. `JSON.parse` accepts a hundred
 * thousand levels, but `JSON.stringify` and `structuredClone` throw on them later.
 *
 * The opening braces and brackets of the text bound how many levels remain below each level, so the walk of the value ends
 * early for nearly all texts.
 */
const tooDeep = (text: string, value: unknown): boolean =>
  text.length >= minCheckedLength && isNest(value) && isNestedTooDeep(text, value);

const isNestedTooDeep = (text: string, value: object): boolean => {
  let below = countOf(text, '{') + countOf(text, '[') - 1;
  let level: readonly object[] = [value];
  for (let depth = 1; depth + below > maxLevels && level.length > 0; depth += 1) {
    if (depth > maxLevels) return true;
    const next: object[] = [];
    for (const nest of level) {
      for (const member of Object.values(nest)) if (isNest(member)) next.push(member);
    }
    below -= next.length;
    level = next;
  }
  return false;
};

const isNest = (value: unknown): value is object => typeof value === 'object' && value !== null;

const countOf = (text: string, mark: string): number => {
  let count = 0;
  for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + 1)) count += 1;
  return count;
};
