import { type InputDefinition, readInputs } from './definitions.js';
import { listOf, objectOf } from './values.js';

/** The type of an input whose value brings inputs of its own: `mode`, and with it `mode.seed`. */
export const dynamicCombo = 'COMFY_DYNAMICCOMBO_V3';

/** The values that a dynamic combo takes. */
export const keysOf = ({ options }: InputDefinition): readonly unknown[] =>
  listOf(options['options']).map((option) => objectOf(option)['key']);

/** The inputs that a value of a dynamic combo brings; undefined for a value that the combo does not offer. */
export const inputsBroughtBy = (
  input: InputDefinition,
  value: unknown,
): readonly InputDefinition[] | undefined => {
  const at = keysOf(input).indexOf(value);
  const option = listOf(input.options['options'])[at];
  return option === undefined
    ? undefined
    : readInputs(objectOf(option)['inputs']).map((one) => ({ ...one, name: `${input.name}.${one.name}` }));
};
