import { define } from '../define.js';
import { instant } from '../instant.js';
import { emptyLatent } from '../latent.js';
import type { NodeClass } from '../node-class.js';
import { read } from '../read.js';

/** Makes a latent without content, for pictures of a chosen size. */
export const emptyLatentImage: NodeClass = {
  definition: () => definition,
  execute: instant((inputs) => ({
    values: [
      emptyLatent(
        read.number(inputs, 'width'),
        read.number(inputs, 'height'),
        read.number(inputs, 'batch_size', 1),
      ),
    ],
  })),
};

const definition = define({
  name: 'EmptyLatentImage',
  title: 'Empty Latent Image',
  category: 'latent',
  required: {
    width: ['INT', { default: 512, min: 16, max: 2048, step: 8 }],
    height: ['INT', { default: 512, min: 16, max: 2048, step: 8 }],
    batch_size: ['INT', { default: 1, min: 1, max: 8 }],
  },
  outputs: [{ type: 'LATENT' }],
});
