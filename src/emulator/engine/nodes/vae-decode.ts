import { define } from '../define.js';
import { instant } from '../instant.js';
import { decodeLatent } from '../latent.js';
import type { NodeClass } from '../node-class.js';
import { read } from '../read.js';

/** Turns latents into pictures of full size. */
export const vaeDecode: NodeClass = {
  definition: () => definition,
  execute: instant((inputs) => {
    read.part(inputs, 'vae', 'VAE');
    const latent = read.latent(inputs, 'samples');
    return { values: [latent.samples.map((samples) => decodeLatent(latent, samples))] };
  }),
};

const definition = define({
  name: 'VAEDecode',
  title: 'VAE Decode',
  category: 'latent',
  required: { samples: ['LATENT', { tooltip: 'The latent to be decoded.' }], vae: ['VAE'] },
  outputs: [{ type: 'IMAGE', tooltip: 'The decoded picture.' }],
});
