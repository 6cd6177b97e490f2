import { claimMemory } from '../define.js';
import { decodeLatent, encodeLatent, type Latent } from '../values.js';
import type { NodeClass } from '../node-class.js';
import { nodeOf, share } from './node-of.js';
import { type Inputs, read } from '../read.js';
import { resize } from '../resize.js';

const output = { outputs: [{ type: 'LATENT' }] } as const;
const newer = { ...output, style: 'new', pythonModule: 'comfy_extras.nodes_latent' } as const;

/** The second latent in the size of the first one. */
const fitted = (second: Latent, { width, height, grid }: Latent): Latent => {
  if (second.width === width && second.height === height) return second;
  const samples = second.samples.map((one) =>
    encodeLatent(resize(decodeLatent(second, one), { width, height, crop: 'center' })),
  );
  return { kind: 'LATENT', width, height, grid, samples };
};

/** What stands for zero: the grey of a latent without content. */
const zero = 127.5;

/** Joins two latents value by value, as far from zero as they are; a shorter second batch begins again. */
const mixed = (inputs: Inputs, mix: (one: number, other: number) => number): readonly Latent[] => {
  const first = read.latent(inputs, 'samples1');
  const second = fitted(read.latent(inputs, 'samples2'), first);
  const samples = first.samples.map((one, at) => {
    const other = second.samples[at % second.samples.length] ?? one;
    return one.map((value, place) => zero + mix(value - zero, (other[place] ?? zero) - zero));
  });
  return [{ ...first, samples }];
};

/** Both directions of the values of a place are mixed, and both lengths. */
const interpolated = (inputs: Inputs): readonly Latent[] => {
  const first = read.latent(inputs, 'samples1');
  const second = fitted(read.latent(inputs, 'samples2'), first);
  const ratio = read.number(inputs, 'ratio');
  const samples = first.samples.map((one, at) => {
    const other = second.samples[at % second.samples.length] ?? one;
    const result = new Float32Array(one.length);
    for (let place = 0; place < one.length; place += 3) {
      const a = [0, 1, 2].map((channel) => (one[place + channel] ?? zero) - zero);
      const b = [0, 1, 2].map((channel) => (other[place + channel] ?? zero) - zero);
      const [long, otherLong] = [Math.hypot(...a) || 1, Math.hypot(...b) || 1];
      const way = a.map(
        (value, channel) => (value / long) * ratio + ((b[channel] ?? 0) / otherLong) * (1 - ratio),
      );
      const length = Math.hypot(...way) || 1;
      const scale = Math.hypot(...a) * ratio + Math.hypot(...b) * (1 - ratio);
      result.set(
        way.map((value) => zero + (value / length) * scale),
        place,
      );
    }
    return result;
  });
  return [{ ...first, samples }];
};

const pair = { samples1: ['LATENT', {}], samples2: ['LATENT', {}] } as const;

/** The engine's classes for batches of latents, and for their values. */
export const latentBatches: readonly NodeClass[] = [
  nodeOf({ ...newer, name: 'LatentBatch', category: 'latent/batch', required: pair }, (inputs) => {
    const first = read.latent(inputs, 'samples1');
    const second = fitted(read.latent(inputs, 'samples2'), first);
    return [{ ...first, samples: [...first.samples, ...second.samples] } satisfies Latent];
  }),
  nodeOf(
    {
      ...{ ...output, name: 'RepeatLatentBatch', title: 'Repeat Latent Batch', category: 'latent/batch' },
      required: { samples: ['LATENT'], amount: ['INT', { default: 1, min: 1, max: 64 }] },
    },
    (inputs) => {
      const latent = read.latent(inputs, 'samples');
      const amount = read.number(inputs, 'amount');
      claimMemory(latent.width * latent.height * latent.samples.length * amount);
      return [{ ...latent, samples: Array.from({ length: amount }, () => latent.samples).flat() }];
    },
  ),
  nodeOf(
    {
      ...{ ...output, name: 'LatentFromBatch', title: 'Latent From Batch', category: 'latent/batch' },
      required: {
        samples: ['LATENT'],
        batch_index: ['INT', { default: 0, min: 0, max: 63 }],
        length: ['INT', { default: 1, min: 1, max: 64 }],
      },
    },
    (inputs) => {
      const latent = read.latent(inputs, 'samples');
      const first = Math.min(latent.samples.length - 1, read.number(inputs, 'batch_index'));
      const samples = latent.samples.slice(first, first + read.number(inputs, 'length'));
      return [{ ...latent, samples } satisfies Latent];
    },
  ),
  nodeOf(
    {
      ...{
        ...newer,
        name: 'TrimVideoLatent',
        pythonModule: 'comfy_extras.nodes_wan',
        category: 'latent/video',
      },
      required: { samples: ['LATENT', {}], trim_amount: ['INT', { default: 0, min: 0, max: 99_999 }] },
    },
    (inputs) => {
      const latent = read.latent(inputs, 'samples');
      // Each further step of time of this model's latents is four frames.
      return [
        { ...latent, samples: latent.samples.slice(read.number(inputs, 'trim_amount') * 4) } satisfies Latent,
      ];
    },
  ),
  nodeOf({ ...newer, name: 'LatentAdd', category: 'latent/advanced', required: pair }, (inputs) =>
    mixed(inputs, (one, other) => one + other),
  ),
  nodeOf({ ...newer, name: 'LatentSubtract', category: 'latent/advanced', required: pair }, (inputs) =>
    mixed(inputs, (one, other) => one - other),
  ),
  nodeOf(
    {
      ...{ ...newer, name: 'LatentMultiply', category: 'latent/advanced' },
      required: {
        samples: ['LATENT', {}],
        multiplier: ['FLOAT', { default: 1, min: -10, max: 10, step: 0.01 }],
      },
    },
    (inputs) => {
      const latent = read.latent(inputs, 'samples');
      const factor = read.number(inputs, 'multiplier');
      const samples = latent.samples.map((one) => one.map((value) => zero + (value - zero) * factor));
      return [{ ...latent, samples } satisfies Latent];
    },
  ),
  nodeOf(
    {
      ...newer,
      name: 'LatentInterpolate',
      category: 'latent/advanced',
      required: { ...pair, ratio: share(1) },
    },
    interpolated,
  ),
  nodeOf(
    {
      ...{ ...output, name: 'LatentBlend', title: 'Latent Blend', category: '_for_testing' },
      required: {
        ...{ samples1: ['LATENT'], samples2: ['LATENT'] },
        blend_factor: ['FLOAT', { default: 0.5, min: 0, max: 1, step: 0.01 }],
      },
    },
    (inputs) => {
      const amount = read.number(inputs, 'blend_factor');
      return mixed(inputs, (one, other) => one * amount + other * (1 - amount));
    },
  ),
];
