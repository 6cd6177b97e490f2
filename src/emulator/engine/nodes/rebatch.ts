import type { ImageBatch, Latent } from '../values.js';
import { type InputSpec, type NodeClass, NodeFailure, type Picture } from '../node-class.js';
import { nodeOf } from './node-of.js';
import { type Inputs, read } from '../read.js';

const common = {
  style: 'new',
  pythonModule: 'comfy_extras.nodes_rebatch',
  more: { is_input_list: true },
} as const;

const batchSize: InputSpec = ['INT', { default: 1, min: 1, max: 4096 }];

/** What a class that takes lists gets: every batch of the list by itself, and the size of the new ones. */
const given = (inputs: Inputs, name: string): readonly [batches: readonly Inputs[], size: number] => {
  const of = (key: string): readonly unknown[] => (Array.isArray(inputs[key]) ? inputs[key] : []);
  return [of(name).map((value) => ({ [name]: value })), read.number({ size: of('batch_size')[0] }, 'size')];
};

const inGroups = <T>(items: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));

const isAlike = (one: Pick<Picture, 'width' | 'height'>, other: Pick<Picture, 'width' | 'height'>): boolean =>
  one.width === other.width && one.height === other.height;

const pictures = (inputs: Inputs): readonly ImageBatch[] => {
  const [batches, size] = given(inputs, 'images');
  const groups = inGroups(
    batches.flatMap((batch) => read.images(batch, 'images')),
    size,
  );
  if (groups.some(([first, ...others]) => first && !others.every((other) => isAlike(first, other))))
    throw new NodeFailure('RuntimeError', 'Sizes of tensors must match except in dimension 0.');
  return groups;
};

/** A batch begins anew where the size changes. */
const latents = (inputs: Inputs): readonly Latent[] => {
  const [batches, size] = given(inputs, 'latents');
  const runs: Latent[] = [];
  for (const latent of batches.map((batch) => read.latent(batch, 'latents'))) {
    const last = runs.at(-1);
    if (last && isAlike(last, latent))
      runs.splice(-1, 1, { ...last, samples: [...last.samples, ...latent.samples] });
    else runs.push(latent);
  }
  return runs.flatMap((run) => inGroups(run.samples, size).map((samples) => ({ ...run, samples })));
};

/** The engine's classes that divide a list of batches into batches of another size. */
export const rebatching: readonly NodeClass[] = [
  nodeOf(
    {
      ...{ ...common, name: 'RebatchImages', title: 'Rebatch Images', category: 'image/batch' },
      required: { images: ['IMAGE', {}], batch_size: batchSize },
      outputs: [{ type: 'IMAGE', isList: true }],
    },
    (inputs) => [pictures(inputs)],
  ),
  nodeOf(
    {
      ...{ ...common, name: 'RebatchLatents', title: 'Rebatch Latents', category: 'latent/batch' },
      required: { latents: ['LATENT', {}], batch_size: batchSize },
      outputs: [{ type: 'LATENT', isList: true }],
    },
    (inputs) => [latents(inputs)],
  ),
];
