import { type InputDefinition, readInputs } from '../definitions.js';
import { isJsonObject } from '../../protocol/json/json.js';

/** The inputs that a node has now: dynamic ones stand in a workflow as `name.part`, and depend on what is there. */
export const liveInputs = (
  inputs: readonly InputDefinition[],
  given: Readonly<Record<string, unknown>>,
): readonly InputDefinition[] => {
  const names = new Map<string, string[]>();
  for (const name of Object.keys(given)) {
    const part = firstPart(name);
    const others = names.get(part);
    if (others === undefined) names.set(part, [name]);
    else others.push(name);
  }
  return inputs.flatMap((input) => expand(input, given, names, 0));
};

/** The names of a node's inputs, by what stands before the first point. */
type NamesByPart = ReadonlyMap<string, readonly string[]>;

const firstPart = (name: string): string => name.split('.', 1)[0] ?? '';

/** Whether an input stands for others. */
export const isDynamic = ({ type }: InputDefinition): boolean => /^COMFY_\w+_V3$/u.test(type);

/** An option's inputs can be dynamic again; definitions that nest deeper are not followed. */
const deepest = 8;

const expand = (
  input: InputDefinition,
  given: Readonly<Record<string, unknown>>,
  names: NamesByPart,
  depth: number,
): readonly InputDefinition[] => {
  if (!isDynamic(input)) return [input];
  const parts = (names.get(firstPart(input.name)) ?? []).filter((name) => name.startsWith(`${input.name}.`));
  if (input.type !== 'COMFY_DYNAMICCOMBO_V3' || depth >= deepest)
    return [input.name, ...parts].map((name) => anything(name));
  const chosen = optionsOf(input).find(({ key }) => key === given[input.name]);
  if (chosen === undefined) return [choice(input), ...parts.map((name) => anything(name))];
  const inner = readInputs(chosen.inputs).map((one) => ({ ...one, name: `${input.name}.${one.name}` }));
  return [choice(input), ...inner.flatMap((one) => expand(one, given, names, depth + 1))];
};

const optionsOf = ({ options }: InputDefinition): readonly Readonly<Record<string, unknown>>[] => {
  const list = options['options'];
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
};

/** The choice itself, as a list of the newer form. */
const choice = (input: InputDefinition): InputDefinition => ({
  ...input,
  type: 'COMBO',
  choices: optionsOf(input).map(({ key }) => key),
});

const anything = (name: string): InputDefinition => ({
  name,
  group: 'optional',
  type: '*',
  options: {},
  isListForm: false,
});
