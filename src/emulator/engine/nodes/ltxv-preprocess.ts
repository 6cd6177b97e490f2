import { claimMemory, define } from '../define.js';
import type { NodeClass, Picture } from '../node-class.js';
import { read } from '../read.js';
import { throughH264 } from '../codecs/frames.js';

/** Compresses pictures as a video does, each as a film of one frame, so that a model of films finds them like its own. */
export const ltxvPreprocess: NodeClass = {
  definition: () => definition,
  execute: async (inputs, context) => {
    const pictures = read.images(inputs, 'image');
    const crf = read.number(inputs, 'img_compression');
    if (crf === 0) return { values: [pictures] };
    claimMemory(pictures.reduce((sum, { width, height }) => sum + width * height, 0));
    const compressed: Picture[] = [];
    for (const picture of pictures) compressed.push(await throughH264(context, evenly(picture), crf));
    return { values: [compressed] };
  },
};

const definition = define({
  ...{ name: 'LTXVPreprocess', pythonModule: 'comfy_extras.nodes_lt', category: 'image', style: 'new' },
  required: {
    image: ['IMAGE', {}],
    img_compression: [
      'INT',
      { tooltip: 'How much the picture is compressed; 0 leaves it as it is.', default: 35, min: 0, max: 100 },
    ],
  },
  outputs: [{ type: 'IMAGE', name: 'output_image' }],
});

/** Without the last column or row of an odd size, since two by two pixels share a colour. */
const evenly = (picture: Picture): Picture => {
  const [width, height] = [picture.width & ~1, picture.height & ~1];
  if (width === picture.width && height === picture.height) return picture;
  const rgb = new Uint8Array(width * height * 3);
  for (let row = 0; row < height; row += 1) {
    const from = row * picture.width * 3;
    rgb.set(picture.rgb.subarray(from, from + width * 3), row * width * 3);
  }
  return { width, height, rgb };
};
