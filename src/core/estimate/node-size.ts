import { isJsonObject } from '../protocol/json/json.js';
import { isLink, type Workflow } from '../protocol/workflow.js';

/** How much work the inputs of a node name: its own, and where it has none of a kind those of the nodes that it takes something from. */
export interface NodeSize {
  readonly steps: number | undefined;
  /** How often each step evaluates the model. */
  readonly evaluations: number;
  /** Megapixels of one picture that it takes, and of one that it makes. */
  readonly pixels: number;
  readonly made: number;
  /** Pictures in all: frames × batch. */
  readonly pictures: number;
  /** A checksum of the models and methods that it is named after. */
  readonly names: number;
}

/** The sizes of these nodes, of which each comes before those that it takes something from, as far as they name any. */
export const nodeSizes = (workflow: Workflow, nodeIds: readonly string[]): ReadonlyMap<string, NodeSize> => {
  const sizes = new Map<string, NodeSize>();
  const sourcesFirst = nodeIds.toReversed();
  // A source may still come after its reader; the second round knows all of them, however deep the graph.
  for (const id of [...sourcesFirst, ...sourcesFirst]) sizes.set(id, sizeOf(workflow, id, sizes));
  return sizes;
};

const sizeOf = (workflow: Workflow, id: string, known: ReadonlyMap<string, NodeSize>): NodeSize => {
  const inputs = Object.entries(inputsOf(workflow, id));
  const sources = inputs.flatMap(([, value]) => {
    const size = Array.isArray(value) && isLink(workflow, value) ? known.get(String(value[0])) : undefined;
    return size === undefined ? [] : [size];
  });
  const product = (names: RegExp): number | undefined => {
    const named = inputs
      .filter(([name]) => names.test(name))
      .map(([, value]) => amount(workflow, value))
      .filter((value) => value !== undefined);
    return named.length === 0 ? undefined : named.reduce((all, value) => all * value, 1);
  };
  const largest = (of: 'made' | 'pictures' | 'steps'): number | undefined =>
    sources.reduce<number | undefined>((most, size) => greater(most, size[of]), undefined);
  const named = product(/^(?:width|height)$/u);
  const taken = largest('made') ?? 1;
  const scale = product(/^scale_by$/u) ?? (/UpscaleWithModel/u.test(classOf(workflow, id)) ? usualScale : 1);
  const evaluations = inputs.some(([name, value]) => name === 'sampler_name' && twice.test(String(value)))
    ? 2
    : 1;
  const steps = product(/^steps$/u);
  return {
    steps: steps ?? largest('steps'),
    evaluations: evaluations,
    pixels: inBounds(taken),
    made: inBounds(named === undefined ? taken * scale ** 2 : named / 1e6),
    pictures: Math.min(
      10_000,
      product(/^(?:batch_size|length|\w*frames|frame_count)$/u) ?? largest('pictures') ?? 1,
    ),
    names: checksum(
      [
        ...inputs
          .filter(([name, value]) => /(?<!lora|sampler)_name$/u.test(name) && typeof value === 'string')
          .map(([, value]) => value),
        ...sources.map(({ names }) => names),
      ].join(),
    ),
  };
};

const classOf = (workflow: Workflow, id: string): string => String(workflow[id]?.class_type);

/** What models that enlarge pictures mostly enlarge a side by. */
const usualScale = 4;

/** Sampling methods that evaluate the model twice in each step. */
const twice = /^(?:heun|dpm_2|dpmpp_2s|dpmpp_sde)/u;

const inBounds = (megapixels: number): number => Math.min(100, Math.max(0.05, megapixels));

const inputsOf = (workflow: Workflow, id: string): Readonly<Record<string, unknown>> => {
  const node: unknown = workflow[id];
  return isJsonObject(node) && isJsonObject(node['inputs']) ? node['inputs'] : {};
};

/** A positive number, or that of the primitive node that an input is linked to. */
const amount = (workflow: Workflow, input: unknown): number | undefined => {
  const value =
    Array.isArray(input) && isLink(workflow, input) ? inputsOf(workflow, String(input[0]))['value'] : input;
  return typeof value === 'number' && value > 0 && value < 1e6 ? value : undefined;
};

const greater = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || (other !== undefined && other > one) ? other : one;

/** FNV-1a: names of models stay out of what is kept. */
const checksum = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  return hash;
};
