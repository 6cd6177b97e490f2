import { define } from '../define.js';
import { instant } from '../instant.js';
import { encodeLatent, gridOf } from '../latent.js';
import type { NodeClass } from '../node-class.js';
import { read } from '../read.js';
import { resize } from '../resize.js';
import type { Latent } from '../values.js';

/** Turns pictures into latents; pictures of a batch take the size of its first one. */
export const vaeEncode: NodeClass = {
  definition: () => definition,
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

const definition = define({
  name: 'VAEEncode',
  title: 'VAE Encode',
  category: 'latent',
  required: { pixels: ['IMAGE'], vae: ['VAE'] },
  outputs: [{ type: 'LATENT' }],
});
