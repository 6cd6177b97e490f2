import { error, type Finding, shown, warning } from './finding.js';
import type { InputDefinition } from '../definitions.js';
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
      return { value: given, finding: linkOnly.has(input.type) ? literalForLink(input, given) : undefined };
  }
};

const convertInt = (input: InputDefinition, given: unknown): Converted => {
  const value = toInt(given);
  if (value === undefined) return refused(input, given, roundedText(given));
  if (given === value) return { value, finding: typeof given === 'number' ? inexact(given) : undefined };
  if (typeof given === 'number')
    return {
      value,
      finding: warning('value_rounded', `is ${given}, which the engine cuts to ${value}.`, value),
    };
  return { value, finding: coerced(given, value, typeof value === 'bigint' ? undefined : value) };
};

/** A number such as `"12.0"`, which the engine refuses as text. */
const roundedText = (given: unknown): number | undefined => {
  const value = typeof given === 'string' ? toFloat(given) : undefined;
  return value !== undefined && Number.isSafeInteger(Math.round(value)) ? Math.round(value) : undefined;
};

const inexact = (given: number): Finding | undefined =>
  Number.isSafeInteger(given)
    ? undefined
    : warning(
        'value_inexact',
        `is ${given}, beyond the integers that JavaScript keeps apart: it may have been another number. Write it as text.`,
      );

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
    `is ${shown(given)}, of which the engine can't make ${type === 'INT' ? 'an INT' : 'a FLOAT'}.`,
    fix ?? (typeof options['default'] === 'number' ? options['default'] : undefined),
  ),
});

const coerced = (given: unknown, value: unknown, fix: unknown): Finding =>
  warning('value_coerced', `is ${shown(given)}, which the engine reads as ${shown(value)}.`, fix);

const convertString = (given: unknown): Converted => {
  if (typeof given !== 'number' && typeof given !== 'bigint' && typeof given !== 'boolean')
    return {
      value: '',
      finding: warning(
        'value_coerced',
        `is ${shown(given)}, of which the engine makes a text as Python shows it.`,
      ),
    };
  const text = typeof given === 'boolean' ? (given ? 'True' : 'False') : String(given);
  return { value: text, finding: coerced(given, text, text) };
};

const convertBoolean = (given: unknown): Converted => {
  const value = toBoolean(given);
  const meant = typeof given === 'string' && /^\s*(?:false|no|off|0)\s*$/iu.test(given) ? false : value;
  return { value, finding: coerced(given, value, meant) };
};

const literalForLink = (input: InputDefinition, given: unknown): Finding | undefined =>
  given === null
    ? undefined
    : warning(
        'literal_for_link',
        `is ${shown(given)}, where the node needs a link to an output of type ${input.type}.`,
      );

/** Types that only another node can give; others may have a widget. */
const linkOnly: ReadonlySet<string> = /* @__PURE__ */ new Set([
  ...['IMAGE', 'MASK', 'LATENT', 'MODEL', 'CLIP', 'VAE', 'CONDITIONING', 'CONTROL_NET', 'CLIP_VISION'],
  ...['CLIP_VISION_OUTPUT', 'STYLE_MODEL', 'GLIGEN', 'UPSCALE_MODEL', 'NOISE', 'SIGMAS', 'SAMPLER', 'GUIDER'],
  ...['AUDIO', 'VIDEO'],
]);
