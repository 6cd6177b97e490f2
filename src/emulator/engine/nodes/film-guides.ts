import { type Conditioning, encodeLatent, type Latent } from '../values.js';
import type { InputSpec, NodeClass } from '../node-class.js';
import { type Inputs, read } from '../read.js';
import { nodeOf } from './node-of.js';
import { resize } from '../resize.js';

const text: InputSpec = ['CONDITIONING', {}];

const common = {
  style: 'new',
  pythonModule: 'comfy_extras.nodes_lt',
  category: 'conditioning/video_models',
  outputs: [
    { type: 'CONDITIONING', name: 'positive' },
    { type: 'CONDITIONING', name: 'negative' },
    { type: 'LATENT', name: 'latent' },
  ],
} as const;

/** Frames of a film for each further step of its latent. */
const framesOfStep = 8;

/** The frames of a guide: a whole number of steps after the first one. */
const guideOf = (inputs: Inputs, { width, height }: Latent): readonly Float32Array[] => {
  const pictures = read.images(inputs, 'image');
  const kept = Math.floor((pictures.length - 1) / framesOfStep) * framesOfStep + 1;
  return pictures
    .slice(0, kept)
    .map((picture) => encodeLatent(resize(picture, { width, height, crop: 'center' })));
};

/** Puts pictures at the end of a film's latent, which the texts count, and takes as many off again. */
export const filmGuides: readonly NodeClass[] = [
  nodeOf(
    {
      ...{ ...common, name: 'LTXVAddGuide' },
      required: {
        ...{ positive: text, negative: text, vae: ['VAE', {}], latent: ['LATENT', {}] },
        image: ['IMAGE', { tooltip: 'One picture, or a film of 8n + 1 frames; what is more is cut off.' }],
        frame_idx: [
          'INT',
          { tooltip: 'The frame at which it is to show.', default: 0, min: -9999, max: 9999 },
        ],
        strength: ['FLOAT', { default: 1, min: 0, max: 1, step: 0.01 }],
      },
    },
    (inputs) => {
      read.part(inputs, 'vae', 'VAE');
      const latent = read.latent(inputs, 'latent');
      const guide = guideOf(inputs, latent);
      const [positive, negative] = [
        read.conditioning(inputs, 'positive'),
        read.conditioning(inputs, 'negative'),
      ];
      return [
        { ...positive, guides: (positive.guides ?? 0) + guide.length } satisfies Conditioning,
        { ...negative, guides: (negative.guides ?? 0) + guide.length } satisfies Conditioning,
        { ...latent, samples: [...latent.samples, ...guide] } satisfies Latent,
      ];
    },
  ),
  nodeOf(
    {
      ...{ ...common, name: 'LTXVCropGuides' },
      required: { positive: text, negative: text, latent: ['LATENT', {}] },
    },
    (inputs) => {
      const [positive, negative] = [
        read.conditioning(inputs, 'positive'),
        read.conditioning(inputs, 'negative'),
      ];
      const latent = read.latent(inputs, 'latent');
      const { guides = 0 } = positive;
      if (guides === 0) return [positive, negative, latent];
      const samples = latent.samples.slice(0, -guides);
      return [
        { ...positive, guides: 0 },
        { ...negative, guides: 0 },
        { ...latent, samples } satisfies Latent,
      ];
    },
  ),
];
