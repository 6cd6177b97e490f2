import { define } from '../define.js';
import { instant } from '../instant.js';
import { emptyLatent } from '../latent.js';
import { claimMemory } from '../memory.js';
import type { NodeClass } from '../node-class.js';
import { read } from '../read.js';

/** Makes a latent without content, for pictures of a chosen size. */
export const emptyLatentImage: NodeClass = {
  definition: () => definition,
  execute: instant((inputs) => {
    const width = read.number(inputs, 'width');
    const height = read.number(inputs, 'height');
    const batchSize = read.number(inputs, 'batch_size', 1);
    claimMemory(width * height * batchSize);
    return { values: [emptyLatent(width, height, batchSize)] };
  }),
};

const definition = define({
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
