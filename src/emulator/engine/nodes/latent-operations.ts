import { convolved, sharpening } from '../kernels.js';
import type { GridSize, LatentOperation } from '../values.js';
import type { NodeClass } from '../node-class.js';
import { nodeOf } from './node-of.js';
import { read } from '../read.js';

const common = {
  style: 'new',
  pythonModule: 'comfy_extras.nodes_latent',
  category: 'latent/advanced/operations',
  flags: { experimental: true },
} as const;

/** What stands for zero: the grey of a latent without content. */
const zero = 127.5;

/** How far each place is from zero. */
const lengthsOf = (samples: Float32Array): readonly number[] =>
  Array.from({ length: samples.length / 3 }, (_, place) =>
    Math.hypot(...samples.subarray(place * 3, place * 3 + 3).map((value) => value - zero)),
  );

/** Brings large values nearer to zero, those above the mean and five deviations most of all; directions stay. */
const toned = (samples: Float32Array, multiplier: number): Float32Array => {
  const lengths = lengthsOf(samples);
  const mean = lengths.reduce((sum, value) => sum + value, 0) / lengths.length;
  const squares = lengths.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const top = (5 * Math.sqrt(squares / (lengths.length - 1)) + mean) * multiplier;
  return samples.map((value, at) => {
    const length = lengths[Math.floor(at / 3)] ?? 0;
    return zero + (value - zero) * (top / (length + top));
  });
};

/** Sharpens directions, and keeps how far each place was from zero before. */
const sharpened = (
  samples: Float32Array,
  grid: GridSize,
  kernel: ReturnType<typeof sharpening>,
): Float32Array => {
  const lengths = lengthsOf(samples);
  const lengthAt = (at: number): number => (lengths[Math.floor(at / 3)] ?? 0) + 1e-6;
  const directions = Float64Array.from(samples, (value, at) => (value - zero) / lengthAt(at));
  return Float32Array.from(convolved(directions, grid, kernel), (value, at) => zero + value * lengthAt(at));
};

const operation = (apply: LatentOperation['apply']): LatentOperation => ({ kind: 'LATENT_OPERATION', apply });

/** The engine's classes of operations that are applied to latents. */
export const latentOperations: readonly NodeClass[] = [
  nodeOf(
    {
      ...{ ...common, name: 'LatentOperationTonemapReinhard', outputs: [{ type: 'LATENT_OPERATION' }] },
      required: { multiplier: ['FLOAT', { default: 1, min: 0, max: 100, step: 0.01 }] },
    },
    (inputs) => {
      const multiplier = read.number(inputs, 'multiplier');
      return [operation((samples) => toned(samples, multiplier))];
    },
  ),
  nodeOf(
    {
      ...{ ...common, name: 'LatentOperationSharpen', outputs: [{ type: 'LATENT_OPERATION' }] },
      required: {
        sharpen_radius: ['INT', { default: 9, min: 1, max: 31, step: 1 }],
        sigma: ['FLOAT', { default: 1, min: 0.1, max: 10, step: 0.1 }],
        alpha: ['FLOAT', { default: 0.1, min: 0, max: 5, step: 0.01 }],
      },
    },
    (inputs) => {
      const of = (name: string): number => read.number(inputs, name);
      const kernel = sharpening(of('sharpen_radius'), of('sigma'), of('alpha'));
      return [operation((samples, grid) => sharpened(samples, grid, kernel))];
    },
  ),
  nodeOf(
    {
      ...{ ...common, name: 'LatentApplyOperation', outputs: [{ type: 'LATENT' }] },
      required: { samples: ['LATENT', {}], operation: ['LATENT_OPERATION', {}] },
    },
    (inputs) => {
      const latent = read.latent(inputs, 'samples');
      const { apply } = read.operation(inputs, 'operation');
      return [{ ...latent, samples: latent.samples.map((samples) => apply(samples, latent.grid)) }];
    },
  ),
];
