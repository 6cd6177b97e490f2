/** Parses JSON; an integer that a number can't hold becomes a bigint. Throws a `SyntaxError` for anything else. */
export const parseExact = (text: string): unknown => {
  if (!/\d{16}/u.test(text)) return JSON.parse(text) as unknown;
  const marked = text.replace(tokens, (token) =>
    token.startsWith('"') || Number.isSafeInteger(Number(token)) ? token : `"${MARK}${token}"`,
  );
  return JSON.parse(marked, (_key, value: unknown) =>
    typeof value === 'string' && value.startsWith(MARK) ? BigInt(value.slice(MARK.length)) : value,
  ) as unknown;
};

/** Parses JSON as {@link parseExact} does, and the numbers that only Python writes: `NaN`, `Infinity` and `-Infinity`. */
export const parsePython = (text: string): unknown => {
  if (!/NaN|Infinity/u.test(text)) return parseExact(text);
  const marked = text.replace(words, (word) => (word.startsWith('"') ? word : `"${WORD}${word}"`));
  return revived(parseExact(marked));
};

/** With the numbers of marked words, in place. */
const revived = (value: unknown): unknown => {
  if (typeof value === 'string') return value.startsWith(WORD) ? Number(value.slice(WORD.length)) : value;
  if (typeof value !== 'object' || value === null) return value;
  for (const [name, member] of Object.entries(value)) Reflect.set(value, name, revived(member));
  return value;
};

/** Writes JSON as `JSON.stringify` does, and a bigint with all its digits. */
export const stringifyExact = (value: unknown): string => {
  try {
    return JSON.stringify(value);
  } catch {
    const marked = JSON.stringify(value, (_key, member: unknown) =>
      typeof member === 'bigint' ? `${MARK}${member}` : member,
    );
    return marked.replace(markedIntegers, '$1');
  }
};

/** Begins a text that stands for an integer; from the private use area, so that no other text begins with it. */
const MARK = '\uE000integer ';
/** Likewise for a number that only Python writes. */
const WORD = '\uE000number ';

/** A text as a whole, or an integer of 16 digits or more that is no part of another number. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/gu;

/** A text as a whole, or a number that only Python writes. */
const words = /"[^"\\]*(?:\\.[^"\\]*)*"|NaN|-?Infinity/gu;

const markedIntegers = new RegExp(`"${MARK}(-?\\d+)"`, 'gu');
