import { claimMemory } from '../define.js';
import { emptyLatent } from '../values.js';
import type { NodeClass } from '../node-class.js';
import { batchSize, nodeOf, pixels } from './node-of.js';
import { type Inputs, read } from '../read.js';

/** A latent without content, of so many pictures for each of the batch. */
const empty = (inputs: Inputs, framesOfOne: number): readonly unknown[] => {
  const [width, height] = [read.number(inputs, 'width'), read.number(inputs, 'height')];
  const count = read.number(inputs, 'batch_size', 1) * framesOfOne;
  claimMemory(width * height * count);
  return [emptyLatent(width, height, count)];
};

/** The frames that a decoder makes of a latent of so many: one, and so many more for each further step of time. */
const frames = (inputs: Inputs, step: number): number =>
  Math.floor((read.number(inputs, 'length') - 1) / step) * step + 1;

/** Makes a class for pictures of a model. */
const ofPictures = (
  name: string,
  module: string,
  category: string,
  edge: number,
  step: number,
  style?: 'new',
): NodeClass =>
  nodeOf(
    {
      ...{ name, category, pythonModule: `comfy_extras.${module}`, outputs: [{ type: 'LATENT' }] },
      ...(style === undefined ? { title: name } : { style }),
      required: {
        width: pixels(edge, step === 32 ? 64 : 16, step),
        height: pixels(edge, step === 32 ? 64 : 16, step),
        batch_size: batchSize,
      },
    },
    (inputs) => empty(inputs, 1),
  );

/** What differs between the classes for films. */
interface FilmOptions {
  readonly name: string;
  readonly module: string;
  readonly category?: string;
  readonly size: readonly [width: number, height: number];
  /** The least edge, and by how much edges grow. */
  readonly edge: readonly [least: number, step: number];
  readonly length: readonly [usual: number, least: number, step: number];
  readonly style?: 'new';
}

const ofFilms = ({
  name,
  module,
  category = 'latent/video',
  size,
  edge,
  length,
  style,
}: FilmOptions): NodeClass => {
  const [usual, least, step] = length;
  return nodeOf(
    {
      ...{ name, category, pythonModule: `comfy_extras.${module}`, outputs: [{ type: 'LATENT' }] },
      ...(style === undefined ? { title: name } : { style }),
      required: {
        width: pixels(size[0], ...edge),
        height: pixels(size[1], ...edge),
        length: ['INT', { default: usual, min: least, max: 16_384, step }],
        batch_size: batchSize,
      },
    },
    (inputs) => empty(inputs, frames(inputs, step)),
  );
};

/** The engine's classes that make latents without content for models of pictures and films. */
export const emptyLatents: readonly NodeClass[] = [
  ofPictures('EmptySD3LatentImage', 'nodes_sd3', 'latent/sd3', 1024, 16, 'new'),
  ofPictures(
    'EmptyChromaRadianceLatentImage',
    'nodes_chroma_radiance',
    'latent/chroma_radiance',
    1024,
    16,
    'new',
  ),
  ofPictures('EmptyHunyuanImageLatent', 'nodes_hunyuan', 'latent', 2048, 32),
  nodeOf(
    {
      ...{
        name: 'StableCascade_EmptyLatentImage',
        pythonModule: 'comfy_extras.nodes_stable_cascade',
        style: 'new',
      },
      category: 'latent/stable_cascade',
      required: {
        ...{ width: pixels(1024, 256, 8), height: pixels(1024, 256, 8) },
        compression: ['INT', { default: 42, min: 4, max: 128, step: 1 }],
        batch_size: batchSize,
      },
      outputs: [
        { type: 'LATENT', name: 'stage_c' },
        { type: 'LATENT', name: 'stage_b' },
      ],
    },
    // A latent of the emulator stands for the whole picture at either stage.
    (inputs) => [...empty(inputs, 1), ...empty(inputs, 1)],
  ),
  ofFilms({
    ...{
      name: 'EmptyHunyuanLatentVideo',
      module: 'nodes_hunyuan',
      size: [848, 480],
      edge: [16, 16],
      length: [25, 1, 4],
    },
  }),
  ofFilms({
    ...{
      name: 'EmptyMochiLatentVideo',
      module: 'nodes_mochi',
      size: [848, 480],
      edge: [16, 16],
      length: [25, 7, 6],
    },
    style: 'new',
  }),
  ofFilms({
    ...{
      name: 'EmptyCosmosLatentVideo',
      module: 'nodes_cosmos',
      size: [1280, 704],
      edge: [16, 16],
      length: [121, 1, 8],
    },
    style: 'new',
  }),
  ofFilms({
    ...{ name: 'EmptyLTXVLatentVideo', module: 'nodes_lt', category: 'latent/video/ltxv', size: [768, 512] },
    ...{ edge: [64, 32], length: [97, 1, 8], style: 'new' },
  }),
];
