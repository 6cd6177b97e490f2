import type { Inputs } from './read.js';
import {
  type InputSpec,
  type NodeClass,
  type NodeContext,
  type NodeDefinition,
  NodeFailure,
  type NodeResult,
} from './node-class.js';

/** A short description of a node, from which {@link define} makes the whole object_info entry. */
export interface NodeDescription {
  /** The class type. */
  readonly name: string;
  /** What a person reads; a new-style node without it has `null`. */
  readonly title?: string;
  readonly description?: string;
  readonly category: string;
  /** `old`: flags appear only when true. `new`: all flags are always there, hidden inputs are one-element arrays. */
  readonly style?: 'old' | 'new';
  readonly pythonModule?: string;
  readonly required?: Readonly<Record<string, InputSpec>>;
  readonly optional?: Readonly<Record<string, InputSpec>>;
  /** Input name to what the server fills in, e.g. `{ prompt: 'PROMPT' }`. */
  readonly hidden?: Readonly<Record<string, string>>;
  readonly outputs?: readonly OutputDescription[];
  /** True when the node may be a root of execution. */
  readonly outputNode?: boolean;
  readonly flags?: Readonly<Partial<Record<'deprecated' | 'experimental' | 'dev_only' | 'api_node', true>>>;
  /** Further members, sent as they are. */
  readonly more?: Readonly<Record<string, unknown>>;
}

/** One output slot; its name defaults to its type. */
export interface OutputDescription {
  readonly type: NodeDefinition['output'][number];
  readonly name?: string;
  readonly isList?: boolean;
  readonly tooltip?: string;
}

/** The module of the classes that no engine has: a package beside it. */
export const ofTheEmulator = 'custom_nodes.promptwire-emulator';

/** Makes the object_info entry of a node, with the members that its style has and the order of its inputs. */
export const define = (node: NodeDescription): NodeDefinition => {
  const { name, outputs = [], style = 'old', flags = {} } = node;
  const input = inputSections(node);
  return {
    input,
    input_order: Object.fromEntries(
      Object.entries(input).map(([section, map]) => [section, Object.keys(map)]),
    ),
    ...(style === 'new' && { is_input_list: false }),
    output: outputs.map((output) => output.type),
    output_is_list: outputs.map((output) => output.isList ?? false),
    output_name: outputs.map(outputName),
    ...outputExtras(node),
    name,
    display_name: node.title ?? (style === 'new' ? null : name),
    description: node.description ?? '',
    python_module: node.pythonModule ?? 'nodes',
    category: node.category,
    output_node: node.outputNode ?? false,
    ...(style === 'new' && {
      deprecated: false,
      experimental: false,
      dev_only: false,
      api_node: false,
      price_badge: null,
    }),
    ...flags,
    ...node.more,
  };
};

const inputSections = ({ style, required, optional, hidden }: NodeDescription): NodeDefinition['input'] => ({
  required: required ?? {},
  ...(optional && { optional }),
  ...(hidden && { hidden: style === 'new' ? inArrays(hidden) : hidden }),
});

const inArrays = (hidden: Readonly<Record<string, string>>): Record<string, readonly string[]> =>
  Object.fromEntries(Object.entries(hidden).map(([name, value]) => [name, [value]]));

const outputName = ({ name, type }: OutputDescription): string =>
  name ?? (typeof type === 'string' ? type : 'COMBO');

const outputExtras = ({ style, outputs = [] }: NodeDescription): Record<string, unknown> => {
  const declared = outputs.some((output) => output.tooltip !== undefined);
  return {
    ...((style === 'new' || declared) && {
      output_tooltips: outputs.map((output) => output.tooltip ?? null),
    }),
    ...(style === 'new' && { output_matchtypes: null }),
  };
};

/** Makes the `execute` of a node that is done at once; what it throws becomes a rejection. */
export const instant =
  (make: (inputs: Inputs, context: NodeContext) => NodeResult): NodeClass['execute'] =>
  (inputs, context) =>
    new Promise((resolve) => {
      resolve(make(inputs, context));
    });

/** Pixels of a batch, or samples of a recording, that the emulator computes at most: about 100 MB of either. */
const maxValues = 2 ** 25;

/**
 * Fails a node as one that runs out of memory where its result would have more than 33,554,432 pixels or samples.
 *
 * The limits of the inputs are the engine's, and what they allow is far more than a test's process should hold.
 */
export const claimMemory = (values: number): void => {
  if (values > maxValues) throw new NodeFailure('OOMError', `Allocation of ${values} values failed.`);
};
