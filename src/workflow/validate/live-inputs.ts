import { dynamicCombo, inputsBroughtBy, keysOf } from '../dynamic-combo.js';
import type { InputDefinition } from '../definitions.js';

/** The inputs that a node has now: dynamic ones stand in a workflow as `name.part`, and depend on what is there. */
export const liveInputs = (
  inputs: readonly InputDefinition[],
  given: Readonly<Record<string, unknown>>,
): readonly InputDefinition[] =>
  inputs.some(({ type }) => isDynamic(type)) ? inputs.flatMap((input) => expand(input, given, 0)) : inputs;

/** Whether an input of a type stands for others. */
export const isDynamic = (type: string): boolean => type.startsWith('COMFY_') && type.endsWith('_V3');

/** An option's inputs can be dynamic again; definitions that nest deeper are not followed. */
const deepest = 8;

const expand = (
  input: InputDefinition,
  given: Readonly<Record<string, unknown>>,
  depth: number,
): readonly InputDefinition[] => {
  const { name, type } = input;
  if (!isDynamic(type)) return [input];
  const isChoice = type === dynamicCombo && depth < deepest;
  const brought = isChoice ? inputsBroughtBy(input, given[name]) : undefined;
  const parts =
    brought?.flatMap((one) => expand(one, given, depth + 1)) ??
    Object.keys(given)
      .filter((part) => part.startsWith(`${name}.`))
      .map(anything);
  // The choice itself is a list of the newer form.
  return [isChoice ? { ...input, type: 'COMBO', choices: keysOf(input) } : anything(name), ...parts];
};

const anything = (name: string): InputDefinition => ({
  name,
  group: 'optional',
  type: '*',
  options: {},
  isListForm: false,
});
