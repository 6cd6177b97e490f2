import { define } from '../define.js';
import { instant } from '../instant.js';
import type { NodeClass, Picture } from '../node-class.js';
import { read } from '../read.js';

/** Mirrors pictures. */
export const imageFlip: NodeClass = {
  definition: () => definition,
  execute: instant((inputs) => {
    const upsideDown = read.text(inputs, 'flip_method').startsWith('x');
    return { values: [read.images(inputs, 'image').map((picture) => mirrored(picture, upsideDown))] };
  }),
};

const mirrored = ({ width, height, rgb }: Picture, upsideDown: boolean): Picture => {
  const flipped = new Uint8Array(rgb.length);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const from = upsideDown ? (height - 1 - y) * width + x : y * width + (width - 1 - x);
      flipped.set(rgb.subarray(from * 3, from * 3 + 3), (y * width + x) * 3);
    }
  }
  return { width, height, rgb: flipped };
};

const definition = define({
  name: 'ImageFlip',
  title: 'Flip Image',
  category: 'image/transform',
  required: { image: ['IMAGE'], flip_method: [['x-axis: vertically', 'y-axis: horizontally']] },
  outputs: [{ type: 'IMAGE' }],
  flags: { deprecated: true },
});
