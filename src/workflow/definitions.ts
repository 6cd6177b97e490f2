import { isJsonObject } from '../core/protocol/json/json.js';
import { kept } from './kept.js';
import { type Json, listOf, objectOf, ownOf } from './values.js';

/**
 * What the service's `object_info` says of its node classes: class name → definition, as sent.
 *
 * Every member may be missing or of another type than promised; {@link readDefinition} reads it with care.
 */
export type NodeDefinitions = Readonly<Record<string, unknown>>;

/** One input of a node class. */
export interface InputDefinition {
  /** Its name, as a workflow's `inputs` has it. */
  readonly name: string;
  /** Whether a workflow has to have it. */
  readonly group: 'required' | 'optional';
  /** As sent (`INT`, `IMAGE`, `INT,FLOAT`, `*`); `COMBO` for both forms of a list of choices. */
  readonly type: string;
  /** The second element of the definition; empty if the definition has only one. */
  readonly options: Readonly<Record<string, unknown>>;
  /** The values of a `COMBO` whose list the definition holds; undefined for a remote one. */
  readonly choices?: readonly unknown[];
  /** Whether the list of a `COMBO` stands in place of the type, which is the older form. */
  readonly isListForm: boolean;
}

/** One node class. */
export interface ClassDefinition {
  /** Required ones first, each group in the order of `input_order`; last what that leaves out. */
  readonly inputs: readonly InputDefinition[];
  /** The input of a name, or undefined. */
  readonly inputOf: (name: string | undefined) => InputDefinition | undefined;
  /** Names of `hidden` inputs, which the server fills. */
  readonly hidden: readonly string[];
  /** Types by slot; `COMBO` for a list. */
  readonly outputs: readonly string[];
  /** Types by slot as sent, a list where the output gives a choice. */
  readonly outputTypes: readonly unknown[];
  /** Whether the server runs it for its effect, such as a saved file. */
  readonly isOutputNode: boolean;
  /** Whether it comes from a package beside the engine, whose classes may check values in their own way. */
  readonly isForeign: boolean;
  /** Whether it is known to be the engine's own. */
  readonly isOfEngine: boolean;
  /** Whether it takes inputs that it does not declare, and values that its lists lack, which only the names of such classes tell. */
  readonly takesAnything: boolean;
  /**
   * Set where the editor reads the values of a node by name: by `widgets_values_named`, or else the positions of
   * `widgets_values` stand for these names.
   */
  readonly valueNames?: readonly unknown[];
  /** The name that an editor shows. */
  readonly displayName?: string;
}

/**
 * Reads the definition of a node class; undefined if the definitions lack it.
 *
 * It never throws: it leaves out inputs that it can't read. The result is kept for as long as the definition itself is
 * reachable, so reading the same class again costs a look-up.
 */
export const readDefinition = (
  definitions: NodeDefinitions | undefined,
  className: string,
): ClassDefinition | undefined => {
  const definition = definitions && ownOf(definitions, className);
  return isJsonObject(definition)
    ? kept(read, definition, (one) => ({ ...classOf(one), takesAnything: takeAnything.has(className) }))
    : undefined;
};

const read = /* @__PURE__ */ new WeakMap<Json, ClassDefinition>();

/** The classes of the engine that check none of their inputs. */
const takeAnything: ReadonlySet<string> = /* @__PURE__ */ new Set(['CustomCombo']);

const classOf = (definition: Json): Omit<ClassDefinition, 'takesAnything'> => {
  const { input, input_order: order, output, output_node: isOutput, display_name: displayName } = definition;
  const { fallbackWidgetsValuesNames: names, python_module: origin } = definition;
  const inputs = readInputs(input, order);
  const byName = new Map<string | undefined, InputDefinition>();
  // A name in both groups is required.
  for (const one of inputs) if (one.group === 'required' || !byName.has(one.name)) byName.set(one.name, one);
  return {
    inputs: [...byName.values()],
    inputOf: (name) => byName.get(name),
    hidden: Object.keys(objectOf(objectOf(input)['hidden'])),
    outputs: listOf(output).map(typeName),
    outputTypes: listOf(output),
    isOutputNode: isOutput === true,
    isForeign: typeof origin === 'string' && !isOfTheEngine.test(origin),
    isOfEngine: typeof origin === 'string' && isOfTheEngine.test(origin),
    ...(names !== undefined && names !== false && { valueNames: listOf(names) }),
    ...(typeof displayName === 'string' && displayName !== '' && { displayName }),
  };
};

/** Modules of the engine itself; every other package lies in `custom_nodes`. */
const isOfTheEngine = /^(?:nodes|comfy|comfy_extras|comfy_api_nodes)(?:\.|$)/u;

/**
 * Reads `{ required, optional }`, of a class or of an option of a dynamic combo. `input_order` keeps the order that JavaScript
 * loses for names such as `10`; the names that it lacks come last.
 */
export const readInputs = (input: unknown, order?: unknown): readonly InputDefinition[] => {
  const ordered: InputDefinition[] = [];
  const others: InputDefinition[] = [];
  for (const group of ['required', 'optional'] as const) {
    const members = objectOf(objectOf(input)[group]);
    const first = new Set<unknown>(listOf(objectOf(order)[group]));
    for (const name of first)
      if (typeof name === 'string' && Object.hasOwn(members, name))
        ordered.push(...readInput(name, group, members[name]));
    for (const name of Object.keys(members)) {
      if (!first.has(name)) others.push(...readInput(name, group, members[name]));
    }
  }
  return [...ordered, ...others];
};

const readInput = (
  name: string,
  group: InputDefinition['group'],
  spec: unknown,
): readonly InputDefinition[] => {
  if (!Array.isArray(spec) || spec.length === 0) return [];
  const [type, second] = spec as readonly unknown[];
  const options = objectOf(second);
  const isListForm = Array.isArray(type);
  const choices = isListForm ? type : type === 'COMBO' ? options['options'] : undefined;
  return [
    {
      name,
      group,
      type: typeName(type),
      options,
      isListForm,
      ...(Array.isArray(choices) && { choices: listOf(choices) }),
    },
  ];
};

const typeName = (type: unknown): string =>
  Array.isArray(type) ? 'COMBO' : typeof type === 'string' ? type : '*';
