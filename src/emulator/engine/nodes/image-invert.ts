import { define } from '../define.js';
import { instant } from '../instant.js';
import type { NodeClass } from '../node-class.js';
import { read } from '../read.js';

/** Turns every colour into its opposite. */
export const imageInvert: NodeClass = {
  definition: () => definition,
  execute: instant((inputs) => ({
    values: [
      read
        .images(inputs, 'image')
        .map((picture) => ({ ...picture, rgb: picture.rgb.map((value) => 255 - value) })),
    ],
  })),
};

const definition = define({
  name: 'ImageInvert',
  title: 'Invert Image',
  category: 'image',
  required: { image: ['IMAGE'] },
  outputs: [{ type: 'IMAGE' }],
});
