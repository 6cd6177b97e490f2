import { done, type Steps } from '../steps.js';

/**
 * Parses JSON and keeps integers beyond 2^53 exact, as `bigint`; all other values are those of `JSON.parse`, and it throws
 * what `JSON.parse` throws. A text without such integers costs one search more than that.
 *
 * @example
 * ```ts
 * import { parseExactJson, writeExactJson } from 'promptwire/workflow';
 *
 * const value = parseExactJson('{"seed": 18446744073709551615}');
 * console.log(writeExactJson(value));
 * ```
 */
export const parseExactJson = (text: string): unknown =>
  sixteenDigits.test(text) ? done(parsingNumbers(text, integers)) : (JSON.parse(text) as unknown);

/** From where digits begin: tried at each digit of a run, a text of shorter runs would take several times as long. */
const sixteenDigits = /(?:^|\D)\d{16}/u;

/** Whether `parseJson` may change a number of the text: an integer beyond 2^53, or one that only Python writes. One pattern for all takes twice as long. */
export const mayLoseNumbers = (text: string): boolean =>
  sixteenDigits.test(text) || text.includes('NaN') || text.includes('Infinity');

/**
 * Parses JSON, and keeps its numbers: integers beyond 2^53 as `bigint`, and of a text that only `parseJson` accepts `NaN`, `Infinity` and
 * `-Infinity` as these numbers.
 */
export const parseAsSent = (text: string): unknown => done(parsingNumbers(text, integersAndWords));

/** So many characters are looked at in one step. */
const stepLength = 2 ** 16;

/** The steps of {@link parseExactJson}. */
export function* parsingExactJson(text: string): Steps<unknown> {
  return (yield* hasSixteenDigits(text))
    ? yield* parsingNumbers(text, integers)
    : (JSON.parse(text) as unknown);
}

function* hasSixteenDigits(text: string): Steps<boolean> {
  for (let at = 0; at < text.length; at += stepLength) {
    // With the beginning of the next piece, where digits may go on.
    if (sixteenDigits.test(text.slice(at, at + stepLength + 15))) return true;
    yield;
  }
  return false;
}

function* parsingNumbers(text: string, numbers: RegExp): Steps<unknown> {
  const parts = yield* numbersOf(text, numbers);
  if (!parts.some(isLost)) return JSON.parse(text) as unknown;
  yield;
  const mark = unusedMark(text);
  yield;
  try {
    const marked = parts.map((part) => (isLost(part) ? `"${mark}${part.number}"` : part.text)).join('');
    yield;
    const value: unknown = JSON.parse(marked);
    return yield* withNumbers(value, mark);
  } catch (error) {
    // The error of the text itself names its places.
    if (error instanceof SyntaxError) return JSON.parse(text) as unknown;
    throw error;
  }
}

/** Puts the numbers back where their marks stand, in place; throws for the name of a member, which can't be a number. */
function* withNumbers(value: unknown, mark: string): Steps<unknown> {
  const read = (one: unknown): unknown =>
    typeof one === 'string' && one.startsWith(mark) ? numberOf(one.slice(mark.length)) : one;
  const nests: object[] = typeof value === 'object' && value !== null ? [value] : [];
  for (let nest = nests.pop(); nest !== undefined; nest = nests.pop()) {
    for (const name of Object.keys(nest)) {
      yield;
      const member = (nest as Readonly<Record<string, unknown>>)[name];
      if (name.startsWith(mark)) throw new SyntaxError('The name of a member is a number.');
      if (typeof member === 'object' && member !== null) nests.push(member);
      // Assigning to `__proto__` would set the prototype.
      else if (read(member) !== member) Object.defineProperty(nest, name, { value: read(member) });
    }
  }
  return read(value);
}

const numberOf = (text: string): bigint | number => (/\d/u.test(text) ? BigInt(text) : Number(text));

/**
 * Writes JSON as `JSON.stringify` does, but a `bigint` becomes an integer of any size.
 *
 * @param space - Blanks for each level of indentation; by default one line.
 *
 * @example
 * ```ts
 * import { writeExactJson } from 'promptwire/workflow';
 *
 * console.log(writeExactJson({ seed: 2n ** 64n - 1n }));
 * ```
 */
export const writeExactJson = (value: unknown, space?: number): string => {
  const plain = plainJson(value, space);
  if (plain !== undefined) return plain;
  const marked = markedJson(value, space, markOf(0));
  if (marked.isSure) return marked.text;
  const withoutIntegers = JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'bigint' ? 0 : member,
  );
  return markedJson(value, space, unusedMark(withoutIntegers)).text;
};

/** Writes integers in texts that begin with a mark, and takes these off; that is not sure if another text begins so as well. */
const markedJson = (
  value: unknown,
  space: number | undefined,
  mark: string,
): { readonly text: string; readonly isSure: boolean } => {
  let written = 0;
  const text = JSON.stringify(
    value,
    (_, member: unknown) => {
      if (typeof member !== 'bigint') return member;
      written += 1;
      return `${mark}${String(member)}`;
    },
    space,
  );
  const [first = '', ...rest] = text.split(`"${mark}`);
  return {
    text: [first, ...rest.map((piece) => piece.replace('"', ''))].join(''),
    isSure: rest.length === written,
  };
};

/** Without a function that sees each value, which takes several times as long; undefined if there is a `bigint`. */
const plainJson = (value: unknown, space: number | undefined): string | undefined => {
  if ('toJSON' in BigInt.prototype) return undefined;
  try {
    return JSON.stringify(value, undefined, space);
  } catch (error) {
    // Of a `bigint`; of anything else it throws again.
    if (error instanceof TypeError) return undefined;
    throw error;
  }
};

/** A number of the text or what stands between two. */
type Part = { readonly number: string; readonly text: string } | { readonly text: string };

type LostPart = Extract<Part, { readonly number: string }>;

const isLost = (part: Part): part is LostPart => 'number' in part;

/** The numbers of JSON. */
const integers = /-?\d[\d.eE+-]*/gu;
/** Those, and the numbers that only Python writes. */
const integersAndWords = /-?\d[\d.eE+-]*|NaN|-?Infinity/gu;

/** Splits a text at those of its numbers that are integers which a `number` can't hold, or words. */
function* numbersOf(text: string, wanted: RegExp): Steps<readonly Part[]> {
  const parts: Part[] = [];
  let copied = 0;
  let at = 0;
  while (at < text.length) {
    yield;
    const quote = text.indexOf('"', at);
    const end = quote < 0 ? text.length : quote;
    const between = text.slice(at, end);
    const numbers = mayLoseNumbers(between) ? between.matchAll(wanted) : [];
    for (const { 0: number, index } of numbers) {
      yield;
      const isWord = /[NI]/u.test(number);
      if (!isWord && (!/^-?[1-9]\d{15,}$/u.test(number) || Number.isSafeInteger(Number(number)))) continue;
      parts.push({ text: text.slice(copied, at + index) }, { number, text: number });
      copied = at + index + number.length;
    }
    at = quote < 0 ? text.length : yield* findingEndOfString(text, quote);
  }
  parts.push({ text: text.slice(copied) });
  return parts;
}

/** The steps of `endOfString`: a string may be as long as the whole text. */
function* findingEndOfString(text: string, start: number): Steps<number> {
  let at = start + 1;
  for (let stop = at + stepLength; at < text.length; stop += stepLength) {
    for (; at < stop && at < text.length; at += text[at] === '\\' ? 2 : 1)
      if (text[at] === '"') return at + 1;
    yield;
  }
  return at;
}

/** Plain letters that hardly any text has. */
const markOf = (count: number): string => `exact integer ${count} `;

/**
 * A mark that the text does not have, also where it writes letters as escapes. It takes one look at the text: a stranger's text may have all of
 * the first hundred thousand marks.
 */
const unusedMark = (text: string): string => {
  const shown = text.replaceAll(/\\u00([2-7][\da-f])/giu, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  const used = new Set(shown.match(/exact integer \d{1,9} /gu));
  let count = 0;
  while (used.has(markOf(count))) count += 1;
  return markOf(count);
};
