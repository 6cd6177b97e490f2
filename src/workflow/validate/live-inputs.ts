import { dynamicCombo, inputsBroughtBy, keysOf } from '../dynamic-combo.js';
import type { InputDefinition } from '../definitions.js';
import { listAt } from '../values.js';
import { kept } from '../kept.js';

/** The inputs that a node has now: dynamic ones stand in a workflow as `name.part`, and depend on what is there. */
export const liveInputs = (
  inputs: readonly InputDefinition[],
  given: Readonly<Record<string, unknown>>,
): readonly InputDefinition[] => {
  if (!kept(areDynamic, inputs, hasDynamic)) return inputs;
  const names = new Map<string, string[]>();
  for (const name of Object.keys(given)) listAt(names, firstPart(name)).push(name);
  return inputs.flatMap((input) => expand(input, given, names, 0));
};

/** The names of a node's inputs, by what stands before the first point. */
type NamesByPart = ReadonlyMap<string, readonly string[]>;

const firstPart = (name: string): string => name.split('.', 1)[0] ?? '';

/** Whether an input of a type stands for others. */
export const isDynamic = (type: string): boolean => /^COMFY_\w+_V3$/u.test(type);

const areDynamic = /* @__PURE__ */ new WeakMap<readonly InputDefinition[], boolean>();

const hasDynamic = (inputs: readonly InputDefinition[]): boolean =>
  inputs.some(({ type }) => isDynamic(type));

/** An option's inputs can be dynamic again; definitions that nest deeper are not followed. */
const deepest = 8;

const expand = (
  input: InputDefinition,
  given: Readonly<Record<string, unknown>>,
  names: NamesByPart,
  depth: number,
): readonly InputDefinition[] => {
  if (!isDynamic(input.type)) return [input];
  const parts = (names.get(firstPart(input.name)) ?? []).filter((name) => name.startsWith(`${input.name}.`));
  if (input.type !== dynamicCombo || depth >= deepest) return [input.name, ...parts].map(anything);
  // The choice itself is a list of the newer form.
  const choice = { ...input, type: 'COMBO', choices: keysOf(input) };
  const inner = inputsBroughtBy(input, given[input.name]);
  return [choice, ...(inner?.flatMap((one) => expand(one, given, names, depth + 1)) ?? parts.map(anything))];
};

const anything = (name: string): InputDefinition => ({
  name,
  group: 'optional',
  type: '*',
  options: {},
  isListForm: false,
});
