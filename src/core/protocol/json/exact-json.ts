import { endOfString } from './parse-json.js';

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
export const parseExactJson = (text: string): unknown => {
  // Only valid JSON is worked on, so that every number outside strings is a whole token.
  const value = JSON.parse(text) as unknown;
  return /\d{16}/u.test(text) ? exactOr(text, value) : value;
};

/** Whether `parseJson` may change a number of the text: an integer beyond 2^53, or one that only Python writes. */
export const mayLoseNumbers = (text: string): boolean => /\d{16}|NaN|Infinity/u.test(text);

/**
 * Parses a text that `parseJson` accepts, and keeps its numbers: integers beyond 2^53 as `bigint`, `NaN`, `Infinity` and `-Infinity`
 * as these numbers.
 */
export const parseAsSent = (text: string): unknown => exactOr(text, undefined);

/** The value of a text that has numbers which `JSON.parse` loses; of any other one, that which is known of it already. */
const exactOr = (text: string, known: unknown): unknown => {
  const parts = numbersOf(text);
  if (!parts.some(isLost)) return known === undefined ? (JSON.parse(text) as unknown) : known;
  const mark = unusedMark(text);
  const marked = parts.map((part) => (isLost(part) ? `"${mark}${part.number}"` : part.text)).join('');
  return JSON.parse(marked, (_, value: unknown) =>
    typeof value === 'string' && value.startsWith(mark) ? numberOf(value.slice(mark.length)) : value,
  ) as unknown;
};

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
  const text = JSON.stringify(value, (_, member: unknown) => (typeof member === 'bigint' ? '' : member));
  const mark = unusedMark(text);
  const marked = (_: string, member: unknown) =>
    typeof member === 'bigint' ? `${mark}${String(member)}` : member;
  return JSON.stringify(value, marked, space).replaceAll(new RegExp(`"${mark}(-?\\d+)"`, 'gu'), '$1');
};

/** Without a function that sees each value, which takes several times as long; undefined where there is a `bigint`. */
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

/** Splits a text at the integers that a `number` can't hold, and at the numbers that JSON does not know. */
const numbersOf = (text: string): readonly Part[] => {
  const parts: Part[] = [];
  let copied = 0;
  let at = 0;
  while (at < text.length) {
    const quote = text.indexOf('"', at);
    const end = quote < 0 ? text.length : quote;
    for (const { 0: number, index } of text.slice(at, end).matchAll(/-?\d[\d.eE+-]*|NaN|-?Infinity/gu)) {
      const isWord = /[NI]/u.test(number);
      if (!isWord && (!/^-?\d{16,}$/u.test(number) || Number.isSafeInteger(Number(number)))) continue;
      parts.push({ text: text.slice(copied, at + index) }, { number, text: number });
      copied = at + index + number.length;
    }
    at = quote < 0 ? text.length : endOfString(text, quote);
  }
  parts.push({ text: text.slice(copied) });
  return parts;
};

/** Plain letters that no string of the text begins with. */
const unusedMark = (text: string): string => {
  let mark = 'exact integer ';
  for (let count = 0; text.includes(mark); count += 1) mark = `exact integer ${count} `;
  return mark;
};
