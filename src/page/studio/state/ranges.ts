import type { FormField } from '../../../workflow.js';

/** The most runs at once: more are a slip of the keyboard. */
export const maxRuns = 200;

/** What a range says: values, or in words why it says none. */
export type RangeValues =
  | { readonly _tag: 'Values'; readonly values: readonly unknown[] }
  | { readonly _tag: 'Wrong'; readonly reason: 'number' | 'bounds' | 'choice' | 'many' | 'empty' };

/**
 * Reads a range as a person writes it: `1…8` (also `1..8`), `0…1 step 0.25`, or a list with commas; texts and choices by `|` or by lines.
 */
export const readRange = (
  text: string,
  field: Pick<FormField, 'control' | 'min' | 'max' | 'choices'>,
): RangeValues => {
  const isNumeric = field.control === 'integer' || field.control === 'number';
  const parts = text.split(isNumeric ? /[,\n]/u : /[|\n]/u).map((part) => part.trim());
  const given = parts.filter((part) => part !== '');
  if (given.length === 0) return wrong('empty');
  if (!isNumeric) {
    if (field.choices !== undefined && given.some((one) => !field.choices?.map(String).includes(one)))
      return wrong('choice');
    return { _tag: 'Values', values: given };
  }
  const read = given.map(numbersIn);
  const failed = read.find((one) => one._tag === 'Wrong');
  if (failed !== undefined) return failed;
  const values = read.flatMap((one) => (one._tag === 'Values' ? one.values : []));
  if (values.length > maxRuns) return wrong('many');
  const { control, min = -Infinity, max = Infinity } = field;
  if (values.some((value) => Number(value) < min || Number(value) > max)) return wrong('bounds');
  if (control === 'integer' && values.some((value) => !Number.isInteger(value))) return wrong('number');
  return { _tag: 'Values', values };
};

const wrong = (reason: (RangeValues & { _tag: 'Wrong' })['reason']): RangeValues => ({
  _tag: 'Wrong',
  reason,
});

const number = String.raw`(-?\d+(?:\.\d+)?)`;
const span = new RegExp(String.raw`^${number}\s*(?:…|\.{2,3}|–)\s*${number}(?:\s+step\s+${number})?$`, 'u');

const numbersIn = (part: string): RangeValues => {
  const [, from, to, by] = span.exec(part) ?? [];
  if (from === undefined || to === undefined) {
    return new RegExp(`^${number}$`, 'u').test(part)
      ? { _tag: 'Values', values: [Number(part)] }
      : wrong('number');
  }
  const step = by === undefined ? 1 : Math.abs(Number(by));
  const [first, last] = [Number(from), Number(to)];
  if (step === 0) return wrong('number');
  const count = Math.floor(Math.abs(last - first) / step + 1e-9) + 1;
  if (count > maxRuns) return wrong('many');
  const sign = last < first ? -1 : 1;
  // Steps such as 0.1 add up to numbers with a tail.
  return {
    _tag: 'Values',
    values: Array.from({ length: count }, (_, at) => Number((first + sign * step * at).toPrecision(12))),
  };
};
