import { define } from '../define.js';
import { instant } from '../instant.js';
import { NodeFailure, type NodeClass } from '../node-class.js';
import { read } from '../read.js';

/** Joins any number of pictures (`images.image0`, `images.image1`, …) into one batch. */
export const batchImages: NodeClass = {
  definition: () => definition,
  execute: instant((inputs) => {
    const group = read.group(inputs, 'images');
    const names = Object.keys(group).sort((a, b) => placeOf(a) - placeOf(b));
    const batch = names.flatMap((name) => read.images(group, name));
    if (batch.length === 0) throw new NodeFailure('ValueError', 'there is no picture to put into a batch');
    return { values: [batch] };
  }),
};

const placeOf = (name: string): number => Number(name.replace(/^\D+/, ''));

const definition = define({
  name: 'BatchImages',
  description: 'Joins pictures into one batch.',
  category: 'image/batch',
  style: 'new',
  required: {
    images: [
      'COMFY_AUTOGROW_V3',
      { template: { input: { required: { image: ['IMAGE', {}] } }, prefix: 'image', min: 1, max: 16 } },
    ],
  },
  outputs: [{ type: 'IMAGE' }],
});
