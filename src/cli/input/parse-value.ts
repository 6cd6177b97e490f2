import { UsageError } from '../usage-error.js';

/**
 * Reads the value of `--set`: JSON where it is JSON, else text as it stands. Numbers that this program would change on
 * the way (integers beyond 2^53, more digits than a double holds) are refused rather than sent as others.
 */
export const parseValue = (text: string): unknown => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return text;
  }
  const lost = numbersOf(text).find((number) => !survives(number));
  if (lost !== undefined) {
    throw new UsageError(
      `${lost} can't be sent exactly: numbers here hold integers up to ${Number.MAX_SAFE_INTEGER} only. ` +
        `Use a smaller one, or write it as text ("${lost}") if the node reads text.`,
    );
  }
  return value;
};

const numbersOf = (json: string): readonly string[] =>
  json.replace(/"(?:\\.|[^"\\])*"/gu, '""').match(/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gu) ?? [];

const survives = (number: string): boolean => {
  const value = Number(number);
  return Number.isFinite(value) && (!/^-?\d+$/u.test(number) || Number.isSafeInteger(value));
};
