import type { Latent } from '../values.js';
import type { NodeClass } from '../node-class.js';
import { nodeOf } from './node-of.js';
import { read } from '../read.js';

/** The engine's classes that say how a sampler treats a latent. */
export const latentSampling: readonly NodeClass[] = [
  nodeOf(
    {
      ...{ name: 'SetLatentNoiseMask', title: 'Set Latent Noise Mask', category: 'latent/inpaint' },
      required: { samples: ['LATENT'], mask: ['MASK'] },
      outputs: [{ type: 'LATENT' }],
    },
    (inputs) => [
      { ...read.latent(inputs, 'samples'), noiseMask: read.mask(inputs, 'mask') } satisfies Latent,
    ],
  ),
  nodeOf(
    {
      ...{ name: 'LatentBatchSeedBehavior', pythonModule: 'comfy_extras.nodes_latent', style: 'new' },
      category: 'latent/advanced',
      required: {
        samples: ['LATENT', {}],
        seed_behavior: ['COMBO', { default: 'fixed', multiselect: false, options: ['random', 'fixed'] }],
      },
      outputs: [{ type: 'LATENT' }],
    },
    (inputs) => [
      {
        ...read.latent(inputs, 'samples'),
        hasOneNoise: read.text(inputs, 'seed_behavior') === 'fixed',
      } satisfies Latent,
    ],
  ),
];
