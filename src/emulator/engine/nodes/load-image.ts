import { define } from '../define.js';
import { loadPicture, validateImage } from '../input-file.js';
import { instant } from '../instant.js';
import type { NodeClass } from '../node-class.js';
import { read } from '../read.js';
import type { Mask } from '../values.js';

/** Loads an uploaded picture, and its transparency as a mask. */
export const loadImage: NodeClass = {
  definition: ({ inputs }) =>
    define({
      name: 'LoadImage',
      title: 'Load Image',
      category: 'image',
      required: { image: [inputs, { image_upload: true }] },
      outputs: [{ type: 'IMAGE' }, { type: 'MASK' }],
    }),
  validate: validateImage,
  execute: instant((inputs, context) => {
    const { width, height, rgb, alpha } = loadPicture(read.text(inputs, 'image'), context);
    const bytes = alpha ? alpha.map((value) => 255 - value) : new Uint8Array(width * height);
    return { values: [[{ width, height, rgb }], { kind: 'MASK', width, height, bytes } satisfies Mask] };
  }),
};
