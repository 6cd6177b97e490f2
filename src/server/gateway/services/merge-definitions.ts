import { isJsonObject } from '../../../core/protocol/json/json.js';
import type { NodeInfo, ObjectInfo } from '../../../core/endpoints/object-info.js';

/** The node classes that any of several servers has; an input with a list of choices takes the choices of all of them. */
export const mergeDefinitions = (known: readonly ObjectInfo[]): ObjectInfo =>
  known.reduce<ObjectInfo>((all, more) => {
    const merged = Object.entries(more).map(([name, info]) => {
      const before = Object.hasOwn(all, name) ? all[name] : undefined;
      return [name, before === undefined ? info : mergeClass(before, info)];
    });
    return { ...all, ...(Object.fromEntries(merged) as ObjectInfo) };
  }, {});

const mergeClass = (one: NodeInfo, other: NodeInfo): NodeInfo => ({
  ...one,
  input: {
    ...one.input,
    ...mergeGroup('required', one, other),
    ...mergeGroup('optional', one, other),
  },
});

const mergeGroup = (
  group: 'required' | 'optional',
  { input: { [group]: one } }: NodeInfo,
  { input: { [group]: other = {} } }: NodeInfo,
): Pick<NodeInfo['input'], typeof group> =>
  one === undefined
    ? {}
    : {
        [group]: Object.fromEntries(
          Object.entries(one).map(([name, spec]) => [name, mergeSpec(spec, other[name] ?? [])]),
        ),
      };

/** `[choices, options]`, or `['COMBO', { options: choices }]`. */
const mergeSpec = (
  [type, options, ...rest]: readonly unknown[],
  [otherType, otherOptions]: readonly unknown[],
): readonly unknown[] => {
  if (Array.isArray(type) && Array.isArray(otherType))
    return [union(type, otherType), ...(options === undefined ? [] : [options]), ...rest];
  const [choices, otherChoices] = [choicesIn(options), choicesIn(otherOptions)];
  return choices === undefined || otherChoices === undefined
    ? [type, ...(options === undefined ? [] : [options]), ...rest]
    : [type, { ...(options as object), options: union(choices, otherChoices) }, ...rest];
};

const choicesIn = (options: unknown): readonly unknown[] | undefined =>
  isJsonObject(options) && Array.isArray(options['options']) ? options['options'] : undefined;

const union = (one: readonly unknown[], other: readonly unknown[]): readonly unknown[] => [
  ...new Set([...one, ...other]),
];
