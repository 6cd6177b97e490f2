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

const backslash = 0x5c;

/** The index after the closing quote of the JSON string that opens at `start`; at or after the text's end without one. */
export const endOfString = (text: string, start: number): number => {
  let at = start + 1;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === quote) return at + 1;
    at += code === backslash ? 2 : 1;
  }
  return at;
};

/** Levels that JSON may have; what people make has a dozen. */
const maxLevels = 64;

/**
 * Shorter texts are not looked at: they hold at most 255 levels, which nothing minds, and are most of what a socket brings.
 */
const shortest = 512;

/**
 * Whether a value that was parsed from a text of 512 characters or more is nested deeper than 64 levels: `JSON.parse` takes
 * a hundred thousand, but `JSON.stringify` and `structuredClone` throw on them, wherever the value has got to by then.
 *
 * The marks that open an object or a list are counted in the text. A level that has most of them leaves too few for many
 * levels below it, so that little of the value is looked at.
 */
const tooDeep = (text: string, value: unknown): boolean =>
  text.length >= shortest && isNest(value) && isNestedTooDeep(text, value);

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
