import { strOf, typeNameOf } from '../engine/python-words.js';

/** A literal converted to the type of its input, or why it can't be, in Python's words. */
export type Coerced = { readonly value: unknown } | { readonly problem: string };

/** Converts a literal as the service does before its checks: `"20"` is an INT, any non-empty text is true. */
export const coerce = (type: string, value: unknown): Coerced => {
  switch (type) {
    case 'INT':
      return toInt(value);
    case 'FLOAT':
      return toFloat(value);
    case 'STRING':
      return { value: strOf(value) };
    case 'BOOLEAN':
      return { value: isTruthy(value) };
    default:
      return { value };
  }
};

const toInt = (value: unknown): Coerced => {
  if (typeof value === 'bigint') return { value };
  if (typeof value === 'boolean') return { value: Number(value) };
  if (typeof value === 'string') {
    const digits = withoutUnderscores(value);
    return /^[+-]?\d+$/.test(digits)
      ? { value: exactInteger(digits) }
      : { problem: `invalid literal for int() with base 10: ${strOf([value]).slice(1, -1)}` };
  }
  if (typeof value !== 'number') return { problem: wrongType('int', 'a string, a bytes-like object', value) };
  if (Number.isNaN(value)) return { problem: 'cannot convert float NaN to integer' };
  if (!Number.isFinite(value)) return { problem: 'cannot convert float infinity to integer' };
  return { value: Math.trunc(value) };
};

const toFloat = (value: unknown): Coerced => {
  if (typeof value === 'number') return { value };
  if (typeof value === 'bigint' || typeof value === 'boolean') return { value: Number(value) };
  if (typeof value !== 'string') return { problem: wrongType('float', 'a string', value) };
  const number = floatOf(withoutUnderscores(value));
  return number === undefined
    ? { problem: `could not convert string to float: ${strOf([value]).slice(1, -1)}` }
    : { value: number };
};

const wrongType = (name: string, others: string, value: unknown): string =>
  `${name}() argument must be ${others} or a real number, not '${typeNameOf(value)}'`;

const withoutUnderscores = (text: string): string => text.trim().replace(/(?<=\d)_(?=\d)/g, '');

/** An integer with all its digits: a bigint beyond 2^53. */
const exactInteger = (digits: string): number | bigint => {
  const number = Number(digits);
  return Number.isSafeInteger(number) ? number : BigInt(digits.replace(/^\+/u, ''));
};

/** What Python's `float()` reads in a text. */
const floatOf = (text: string): number | undefined => {
  if (/^[+-]?nan$/i.test(text)) return NaN;
  if (/^[+-]?inf(inity)?$/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  return /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : undefined;
};

const isTruthy = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value);
