import type { InputSpec, NodeClass } from '../node-class.js';
import { nodeOf } from './node-of.js';
import { type Inputs, read, tagged } from '../read.js';

/** The value of an output of type `NOISE`: what a sampler begins with; without a seed, it adds none. */
export interface Noise {
  readonly kind: 'NOISE';
  readonly seed: bigint | undefined;
}

/** Reads a noise. */
export const noiseOf = (inputs: Inputs, name: string): Noise => tagged<Noise>(inputs, name, 'NOISE');

/** The input that seeds a noise. */
export const noiseSeed: InputSpec = [
  'INT',
  { default: 0, min: 0, max: 18_446_744_073_709_551_615n, control_after_generate: true },
];

const noise = {
  pythonModule: 'comfy_extras.nodes_custom_sampler',
  category: 'sampling/custom_sampling/noise',
  outputs: [{ type: 'NOISE' }],
} as const;

/** The engine's classes that make noise for `SamplerCustomAdvanced`. */
export const noises: readonly NodeClass[] = [
  nodeOf({ ...noise, name: 'RandomNoise', required: { noise_seed: noiseSeed } }, (inputs) => [
    { kind: 'NOISE', seed: read.seed(inputs, 'noise_seed') } satisfies Noise,
  ]),
  nodeOf({ ...noise, name: 'DisableNoise' }, () => [{ kind: 'NOISE', seed: undefined } satisfies Noise]),
];
