import { error, type Finding, readAs, warning, isWhat } from './finding.js';
import type { InputDefinition } from '../definitions.js';
import { scalarText } from '../values.js';
import { toBoolean, toFloat, toInt } from './engine-values.js';

/** The value that runs, and what is to say of the conversion. */
export interface Converted {
  readonly value: unknown;
  readonly finding?: Finding | undefined;
}

/** Converts a literal as the engine does before its checks; values of other types than these four stay as they are. */
export const convert = (input: InputDefinition, given: unknown): Converted => {
  if (input.isListForm) return { value: given };
  switch (input.type) {
    case 'INT':
      return convertInt(input, given);
    case 'FLOAT':
      return convertFloat(input, given);
    case 'STRING':
      return typeof given === 'string' ? { value: given } : convertString(given);
    case 'BOOLEAN':
      return typeof given === 'boolean' ? { value: given } : convertBoolean(given);
    default:
      return { value: given, finding: literalForLink(input.type, given) };
  }
};

const convertInt = (input: InputDefinition, given: unknown): Converted => {
  const value = toInt(given);
  if (value === undefined) return refused(input, given, roundedText(given));
  const fix = typeof value === 'bigint' ? undefined : value;
  if (typeof given !== 'number')
    return { value, finding: given === value ? undefined : coerced(given, value, fix) };
  if (given !== value)
    return {
      value,
      finding: warning('value_rounded', isWhat(given, `which the engine cuts to ${value}`), fix),
    };
  if (Number.isSafeInteger(given)) return { value };
  const message = isWhat(given, 'which JavaScript may have rounded. Write it as text');
  return { value, finding: warning('value_inexact', message) };
};

/** A number such as `"12.0"`, which the engine refuses as text. */
const roundedText = (given: unknown): number | undefined => {
  const value = typeof given === 'string' ? Math.round(toFloat(given) ?? NaN) : NaN;
  return Number.isSafeInteger(value) ? value : undefined;
};

const convertFloat = (input: InputDefinition, given: unknown): Converted => {
  const value = toFloat(given);
  if (value === undefined) return refused(input, given, decimalComma(given));
  if (typeof given === 'number') return { value };
  return { value, finding: coerced(given, value, Number.isFinite(value) ? value : undefined) };
};

const decimalComma = (given: unknown): number | undefined =>
  typeof given === 'string' && /^\s*-?\d+,\d+\s*$/u.test(given) ? Number(given.replace(',', '.')) : undefined;

const refused = ({ type, options }: InputDefinition, given: unknown, fix: unknown): Converted => ({
  value: given,
  finding: error(
    'invalid_input_type',
    isWhat(given, `which the engine can't read as ${type}`),
    fix ?? (typeof options['default'] === 'number' ? options['default'] : undefined),
  ),
});

const coerced = (given: unknown, value: unknown, fix: unknown): Finding =>
  warning('value_coerced', readAs(given, value), fix);

const convertString = (given: unknown): Converted => {
  const plain = scalarText(given);
  if (plain === undefined) {
    const message = isWhat(given, "which the engine reads as Python's text of it");
    return { value: '', finding: warning('value_coerced', message) };
  }
  const text = typeof given === 'boolean' ? (given ? 'True' : 'False') : plain;
  return { value: text, finding: coerced(given, text, text) };
};

const convertBoolean = (given: unknown): Converted => {
  const value = toBoolean(given);
  const meansNo = typeof given === 'string' && /^\s*(?:false|no|off|0)\s*$/iu.test(given);
  return { value, finding: coerced(given, value, !meansNo && value) };
};

const literalForLink = (type: string, given: unknown): Finding | undefined =>
  given === null || !linkOnly.test(type)
    ? undefined
    : warning('literal_for_link', isWhat(given, `but takes a link to an output of type ${type}`));

/** Types that only another node can give; others may have a widget. */
const linkOnly =
  /^(?:IMAGE|MASK|LATENT|MODEL|CLIP|VAE|CONDITIONING|CONTROL_NET|CLIP_VISION(?:_OUTPUT)?|(?:STYLE|UPSCALE)_MODEL|GLIGEN|NOISE|SIGMAS|SAMPLER|GUIDER|AUDIO|VIDEO)$/u;
