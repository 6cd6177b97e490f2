import { error, type Finding, isWhat, readAs, warning } from './finding.js';
import type { InputDefinition } from '../definitions.js';
import { toBoolean, toFloat, toInt, toText } from './engine-values.js';

/** The value that runs, and what is to say of the conversion. */
export interface Converted {
  readonly value: unknown;
  readonly finding?: Finding | undefined;
}

/** Converts a literal as the engine does before its checks; values of other types than these four stay as they are. */
export const convert = ({ type, options }: InputDefinition, given: unknown): Converted => {
  const convertTo = conversions.get(type);
  if (!convertTo) return { value: given, finding: literalForLink(type, given) };
  const value = convertTo(given);
  if (value === undefined) return type === 'STRING' ? textOfPython(given) : refused(type, options, given);
  if (value === given || Object.is(value, given)) return { value, finding: inexact(type, given) };
  const finding =
    type === 'INT' && typeof given === 'number'
      ? warning('value_rounded', isWhat(given, `which the engine cuts to ${value}`), value)
      : warning('value_coerced', readAs(given, value), meantBy(given, value));
  return { value, finding };
};

type Literal = number | bigint | string | boolean;

const conversions: ReadonlyMap<string, (given: unknown) => Literal | undefined> = /* @__PURE__ */ new Map<
  string,
  (given: unknown) => Literal | undefined
>([
  ['INT', toInt],
  ['FLOAT', toFloat],
  ['STRING', toText],
  ['BOOLEAN', toBoolean],
]);

const textOfPython = (given: unknown): Converted => {
  return {
    value: '',
    finding: warning('value_coerced', isWhat(given, "which the engine reads as Python's text of it")),
  };
};

const refused = (type: string, options: InputDefinition['options'], given: unknown): Converted => {
  const number = typeof given === 'string' ? numberIn(type, given) : undefined;
  const fix = number ?? (typeof options['default'] === 'number' ? options['default'] : undefined);
  return {
    value: given,
    finding: error('invalid_input_type', isWhat(given, `which the engine can't read as ${type}`), fix),
  };
};

/** The number that a text means which the engine refuses: `"12.0"` for an integer, `"0,5"` for a float. */
const numberIn = (type: string, text: string): number | undefined => {
  if (type === 'INT') {
    const rounded = Math.round(toFloat(text) ?? NaN);
    return Number.isSafeInteger(rounded) ? rounded : undefined;
  }
  return /^\s*-?\d+,\d+\s*$/u.test(text) ? Number(text.replace(',', '.')) : undefined;
};

const inexact = (type: string, given: unknown): Finding | undefined =>
  type === 'INT' && typeof given === 'number' && !Number.isSafeInteger(given)
    ? warning('value_inexact', isWhat(given, 'which JavaScript may have rounded. Write it as text'))
    : undefined;

/** What JSON can hold of the value; `"no"` means false, though the engine takes it for true. */
const meantBy = (given: unknown, value: Literal): unknown => {
  if (value === true) return typeof given !== 'string' || !/^\s*(?:false|no|off|0)\s*$/iu.test(given);
  return typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value))
    ? undefined
    : value;
};

const literalForLink = (type: string, given: unknown): Finding | undefined =>
  given === null || !linkOnly.test(type)
    ? undefined
    : warning('literal_for_link', isWhat(given, `but takes a link to an output of type ${type}`));

/** Types that only another node can give; others may have a widget. */
const linkOnly =
  /^(?:IMAGE|MASK|LATENT|MODEL|CLIP|VAE|CONDITIONING|CONTROL_NET|CLIP_VISION(?:_OUTPUT)?|(?:STYLE|UPSCALE)_MODEL|GLIGEN|NOISE|SIGMAS|SAMPLER|GUIDER|AUDIO|VIDEO)$/u;
