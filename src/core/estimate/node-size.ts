import { isJsonObject } from '../protocol/json/json.js';
import { isLink, type Workflow } from '../protocol/workflow.js';
import { largeModels, namesOf, noNames } from './model-names.js';

/** How much work the inputs of a node name: its own, and where it has none of a kind those of the nodes that it takes something from. */
export interface NodeSize {
  readonly steps: number | undefined;
  /** How often each step evaluates the model. */
  readonly evaluations: number;
  /** Megapixels of one picture that it takes, and of one that it makes; undefined if no input names them. */
  readonly pixels: number | undefined;
  readonly made: number | undefined;
  /** Whether these go back to a picture of unknown size, such as an uploaded one. */
  readonly isUnsized: boolean;
  /** Pictures in all: frames × batch. */
  readonly pictures: number;
  /** As many as a model samples: models of videos sample several frames as one. */
  readonly latents: number;
  /** Whether it works with a large model. */
  readonly isLarge: boolean;
  /** The models and methods that it is named after, and those of the nodes that it takes something from. */
  readonly names: ReadonlySet<string>;
}

/** The sizes of these nodes, of which each comes before those that it takes something from, as far as they name any. */
export const nodeSizes = (
  workflow: Workflow,
  nodeIds: readonly string[],
  pictures: ReadonlyMap<string, number>,
): ReadonlyMap<string, NodeSize> => {
  const sizes = new Map<string, NodeSize>();
  const sourcesFirst = nodeIds.toReversed();
  const own = new Set(nodeIds);
  const lacksSource = (id: string): boolean =>
    linkedTo(workflow, id).some((source) => own.has(source) && !sizes.has(source));
  let isLate = false;
  for (const id of sourcesFirst) {
    isLate ||= lacksSource(id);
    sizes.set(id, sizeOf(workflow, id, { known: sizes, pictures }));
  }
  // Where a source came after its reader the second round knows all of them, however deep the graph.
  if (isLate) for (const id of sourcesFirst) sizes.set(id, sizeOf(workflow, id, { known: sizes, pictures }));
  return sizes;
};

/** The nodes that a node takes something from. */
const linkedTo = (workflow: Workflow, id: string): readonly string[] =>
  Object.values(inputsOf(workflow, id)).flatMap((value) =>
    Array.isArray(value) && isLink(workflow, value) ? String(value[0]) : [],
  );

const sizeOf = (
  workflow: Workflow,
  id: string,
  {
    known,
    pictures,
  }: { readonly known: ReadonlyMap<string, NodeSize>; readonly pictures: ReadonlyMap<string, number> },
): NodeSize => {
  const inputs = Object.entries(inputsOf(workflow, id));
  const sources = linkedTo(workflow, id).flatMap((source) => sourceOf(workflow, source, known));
  const amounts = inputs.flatMap(([name, value]) => {
    const number = amount(workflow, value);
    return number === undefined ? [] : [{ name, number }];
  });
  const product = (names: RegExp): number | undefined => {
    const named = amounts.filter(({ name }) => names.test(name));
    return named.length === 0 ? undefined : named.reduce((all, { number }) => all * number, 1);
  };
  const largest = (of: 'made' | 'pictures' | 'latents' | 'steps'): number | undefined =>
    sources.reduce<number | undefined>((most, size) => greater(most, size[of]), undefined);
  const classType = classOf(workflow, id);
  const named = product(/^(?:width|height)$/u);
  const loaded = pictureOf(inputs, pictures);
  const taken = largest('made');
  const scale = product(/^scale_by$/u) ?? (enlarges.test(classType) ? usualScale : 1);
  return {
    steps: product(/^steps$/u) ?? largest('steps'),
    evaluations: inputs.some(([name, value]) => name === 'sampler_name' && twice.test(String(value))) ? 2 : 1,
    pixels: taken ?? inMegapixels(named),
    made: inMegapixels(named) ?? loaded ?? scaled(taken, scale),
    isUnsized:
      named === undefined &&
      loaded === undefined &&
      (taken === undefined || sources.some(({ isUnsized, made }) => isUnsized && made !== undefined)),
    ...(picturesOf(product) ?? { pictures: largest('pictures') ?? 1, latents: largest('latents') ?? 1 }),
    isLarge: largeModels.test(classType) || sources.some(({ isLarge }) => isLarge),
    names: namesOf(
      inputs,
      sources.map(({ names }) => names),
    ),
  };
};

/** The megapixels of a picture that an input names and the client has uploaded. */
const pictureOf = (
  inputs: readonly (readonly [name: string, value: unknown])[],
  pictures: ReadonlyMap<string, number>,
): number | undefined => {
  const [size] = inputs.flatMap(([, value]) =>
    typeof value === 'string' ? (pictures.get(value) ?? []) : [],
  );
  return size === undefined ? undefined : inBounds(size);
};

/** The pictures that inputs name; undefined if they name none. */
const picturesOf = (
  product: (names: RegExp) => number | undefined,
): Pick<NodeSize, 'pictures' | 'latents'> | undefined => {
  const [batch, frames] = [product(/^batch_size$/u), product(/^(?:length|\w*frames|frame_count)$/u)];
  if (batch === undefined && frames === undefined) return undefined;
  const [all, ofEach] = [batch ?? 1, frames ?? 1];
  return { pictures: atMost(all * ofEach), latents: atMost(all * Math.ceil(ofEach / framesPerLatent)) };
};

/** What a node passes on: a picture is a picture, whatever model has made it. */
const sourceOf = (
  workflow: Workflow,
  id: string,
  known: ReadonlyMap<string, NodeSize>,
): readonly NodeSize[] => {
  const size = known.get(id);
  if (size === undefined) return [];
  return [makesPictures.test(classOf(workflow, id)) ? { ...size, names: noNames, isLarge: false } : size];
};

const classOf = (workflow: Workflow, id: string): string => String(workflow[id]?.class_type);

const makesPictures = /Decode|UpscaleWithModel/u;

const enlarges = /UpscaleWithModel/u;

/** What models that enlarge pictures mostly enlarge a side by. */
const usualScale = 4;

/** Sampling methods that evaluate the model twice in each step. */
const twice = /^(?:heun|dpm_2|dpmpp_2s|dpmpp_sde)/u;

/** Frames that most models of videos sample as one. */
const framesPerLatent = 4;

const atMost = (pictures: number): number => Math.min(10_000, pictures);

const inBounds = (megapixels: number): number => Math.min(100, Math.max(0.05, megapixels));

const inMegapixels = (pixels: number | undefined): number | undefined =>
  pixels === undefined ? undefined : inBounds(pixels / 1e6);

/** A picture of unknown size counts as a megapixel once it is enlarged; one that is reduced was larger. */
const scaled = (megapixels: number | undefined, scale: number): number | undefined =>
  megapixels === undefined && scale <= 1 ? undefined : inBounds((megapixels ?? 1) * scale ** 2);

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
