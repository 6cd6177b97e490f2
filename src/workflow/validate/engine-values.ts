import { scalarText } from '../values.js';

/** What the engine's `int()` makes of a literal, exactly; undefined if it refuses the value. */
export const toInt = (value: unknown): number | bigint | undefined => {
  const number = numberOf(value, intOfText);
  if (typeof number !== 'number') return number;
  return Number.isFinite(number) ? Math.trunc(number) + 0 : undefined;
};

/** What the engine's `float()` makes of a literal; undefined if it refuses the value. */
export const toFloat = (value: unknown): number | undefined => {
  const number = numberOf(value, floatOfText);
  if (typeof number !== 'bigint') return number;
  return Number.isFinite(Number(number)) ? Number(number) : undefined;
};

/** A boolean counts as a number; undefined for a value that is neither a number nor a text. */
const numberOf = <A>(value: unknown, ofText: (text: string) => A): A | number | bigint | undefined => {
  if (typeof value === 'string') return ofText(value);
  if (typeof value === 'boolean') return Number(value);
  return typeof value === 'number' || typeof value === 'bigint' ? value : undefined;
};

/** What the engine's `bool()` makes of a literal: every text with content is true, `"false"` as well. */
export const toBoolean = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return Number.isNaN(value) || Boolean(value);
  return Object.keys(value).length > 0;
};

/** What the engine's `str()` makes of a literal; undefined for what only Python can write as text. */
export const toText = (value: unknown): string | undefined =>
  typeof value === 'boolean' ? (value ? 'True' : 'False') : scalarText(value);

/** Whether one converted value is below another; undefined if the engine can't compare them, which ends its check. */
export const isBelow = (one: unknown, other: unknown): boolean | undefined => {
  const left = numberOf(one, itself);
  const right = numberOf(other, itself);
  if (left === undefined || right === undefined) return undefined;
  return (typeof left === 'string') === (typeof right === 'string') ? left < right : undefined;
};

const itself = (text: string): string => text;

/** A list, and what it holds by the engine's equality. */
export interface EngineSet {
  readonly values: readonly unknown[];
  readonly has: (value: unknown) => boolean;
}

/**
 * The values of a list by the engine's equality: `1`, `1.0` and `true` are one value, a text is never a number, and nothing
 * equals NaN.
 */
export const engineSet = (values: readonly unknown[]): EngineSet => {
  const keys = new Set(values.map(equalityKey));
  return { values, has: (value) => !Number.isNaN(value) && keys.has(equalityKey(value)) };
};

/** Whether two values are one by that equality. */
export const isSame = (one: unknown, other: unknown): boolean => equalityKey(one) === equalityKey(other);

const equalityKey = (value: unknown): unknown =>
  typeof value === 'boolean' || typeof value === 'bigint' ? Number(value) : value;

/** The engine converts no text with more than 4300 digits. */
const isInt = /^[+-]?\d{1,4300}$/u;

const intOfText = (text: string): number | bigint | undefined => {
  const number = plainNumber(text);
  if (!isInt.test(number)) return undefined;
  return Number.isSafeInteger(Number(number)) ? Number(number) : BigInt(number);
};

const floatOfText = (text: string): number | undefined => {
  const number = plainNumber(text);
  const [word, sign = '', nan] = /^([+-]?)(?:(nan)|inf(?:inity)?)$/iu.exec(number) ?? [];
  if (word !== undefined) return nan === undefined ? Number(`${sign}Infinity`) : NaN;
  return isFloat.test(number) ? Number(number) : undefined;
};

/** Takes time linear in the text, and no stack, as a text can have any length. */
const isFloat = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/iu;

/**
 * A number's text in ASCII, without the white space around it, and without underscores, which may stand between two digits
 * only. Empty if there is white space inside.
 */
const plainNumber = (text: string): string => {
  const [, number = ''] = /^(?:[^\S\uFEFF]|\x85)*([^\s\x85]+)(?:[^\S\uFEFF]|\x85)*$/u.exec(text) ?? [];
  const digits = number.replace(/(?![0-9])\p{Nd}/gu, digitOf);
  // A text of megabytes that has none takes long to be searched for their neighbours.
  return digits.includes('_') ? digits.replace(/(?<=\d)_(?=\d)/gu, '') : digits;
};

/** The engine reads the decimal digits of every script, which come in runs of ten; a few runs follow one another. */
const digitOf = (character: string): string => {
  const code = character.codePointAt(0) ?? 0;
  let zero = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String((code - zero) % 10);
};
