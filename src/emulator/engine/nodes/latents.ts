import { checkpointNames } from '../sample.js';
import { claimMemory, define, instant } from '../define.js';
import {
  type Conditioning,
  decodeLatent,
  emptyLatent,
  encodeLatent,
  gridOf,
  type Latent,
  type ModelPart,
} from '../values.js';
import type { NodeClass, NodeDefinition } from '../node-class.js';
import { read } from '../read.js';
import { resize } from '../resize.js';

/** Loads the three parts of a checkpoint. */
export const checkpointLoaderSimple: NodeClass = {
  definition: ({ checkpoints = checkpointNames, models = [] }) =>
    models.length === 0 && checkpoints === checkpointNames
      ? checkpointLoaderSimpleDefinition
      : checkpointLoader([...checkpoints, ...models]),
  execute: instant((inputs) => {
    const checkpoint = read.text(inputs, 'ckpt_name');
    const part = (kind: ModelPart['kind']): ModelPart => ({ kind, checkpoint });
    return { values: [part('MODEL'), part('CLIP'), part('VAE')] };
  }),
};

const checkpointLoader = (models: readonly string[]): NodeDefinition =>
  define({
    name: 'CheckpointLoaderSimple',
    title: 'Load Checkpoint',
    description: 'Loads a model with its text encoder and its image decoder.',
    category: 'loaders',
    required: {
      ckpt_name: [models, { tooltip: 'The name of the checkpoint to load.' }],
    },
    outputs: [
      { type: 'MODEL', tooltip: 'Takes the noise away.' },
      { type: 'CLIP', tooltip: 'Encodes text.' },
      { type: 'VAE', tooltip: 'Turns pictures into latents and back.' },
    ],
  });

const checkpointLoaderSimpleDefinition = checkpointLoader(checkpointNames);

/** Turns a prompt's text into conditioning for a sampler. */
export const clipTextEncode: NodeClass = {
  definition: () => clipTextEncodeDefinition,
  execute: instant((inputs) => {
    read.part(inputs, 'clip', 'CLIP');
    const conditioning: Conditioning = { kind: 'CONDITIONING', text: read.text(inputs, 'text') };
    return { values: [conditioning] };
  }),
};

const clipTextEncodeDefinition = define({
  name: 'CLIPTextEncode',
  title: 'CLIP Text Encode (Prompt)',
  description: 'Encodes a text that guides the sampler.',
  category: 'conditioning',
  required: {
    text: ['STRING', { multiline: true, dynamicPrompts: true, tooltip: 'The text to be encoded.' }],
    clip: ['CLIP', { tooltip: 'The text encoder of the checkpoint.' }],
  },
  outputs: [{ type: 'CONDITIONING', tooltip: 'Guides the sampler.' }],
});

/** Makes a latent without content, for pictures of a chosen size. */
export const emptyLatentImage: NodeClass = {
  definition: () => emptyLatentImageDefinition,
  execute: instant((inputs) => {
    const width = read.number(inputs, 'width');
    const height = read.number(inputs, 'height');
    const batchSize = read.number(inputs, 'batch_size', 1);
    claimMemory(width * height * batchSize);
    return { values: [emptyLatent(width, height, batchSize)] };
  }),
};

const emptyLatentImageDefinition = define({
  name: 'EmptyLatentImage',
  title: 'Empty Latent Image',
  category: 'latent',
  required: {
    width: ['INT', { default: 512, min: 16, max: 16_384, step: 8 }],
    height: ['INT', { default: 512, min: 16, max: 16_384, step: 8 }],
    batch_size: ['INT', { default: 1, min: 1, max: 4096 }],
  },
  outputs: [{ type: 'LATENT' }],
});

/** Turns latents into pictures of full size. */
export const vaeDecode: NodeClass = {
  definition: () => vaeDecodeDefinition,
  execute: instant((inputs) => {
    read.part(inputs, 'vae', 'VAE');
    const latent = read.latent(inputs, 'samples');
    return { values: [latent.samples.map((samples) => decodeLatent(latent, samples))] };
  }),
};

const vaeDecodeDefinition = define({
  name: 'VAEDecode',
  title: 'VAE Decode',
  category: 'latent',
  required: { samples: ['LATENT', { tooltip: 'The latent to be decoded.' }], vae: ['VAE'] },
  outputs: [{ type: 'IMAGE', tooltip: 'The decoded picture.' }],
});

/** Turns pictures into latents; pictures of a batch take the size of its first one. */
export const vaeEncode: NodeClass = {
  definition: () => vaeEncodeDefinition,
  execute: instant((inputs) => {
    read.part(inputs, 'vae', 'VAE');
    const pictures = read.images(inputs, 'pixels');
    const { width, height } = pictures[0] ?? { width: 16, height: 16 };
    const same = pictures.map((picture) =>
      picture.width === width && picture.height === height ? picture : resize(picture, { width, height }),
    );
    const grid = gridOf(width, height);
    return {
      values: [{ kind: 'LATENT', width, height, grid, samples: same.map(encodeLatent) } satisfies Latent],
    };
  }),
};

const vaeEncodeDefinition = define({
  name: 'VAEEncode',
  title: 'VAE Encode',
  category: 'latent',
  required: { pixels: ['IMAGE'], vae: ['VAE'] },
  outputs: [{ type: 'LATENT' }],
});
