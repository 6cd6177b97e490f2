import { define } from '../define.js';
import { instant } from '../instant.js';
import type { NodeClass, Picture } from '../node-class.js';
import { read } from '../read.js';

/** Shows a mask as a grey picture: white where it holds. */
export const maskToImage: NodeClass = {
  definition: () => definition,
  execute: instant((inputs) => {
    const { width, height, bytes } = read.mask(inputs, 'mask');
    const rgb = Uint8Array.from(
      { length: bytes.length * 3 },
      (_, index) => bytes[Math.floor(index / 3)] ?? 0,
    );
    return { values: [[{ width, height, rgb } satisfies Picture]] };
  }),
};

const definition = define({
  name: 'MaskToImage',
  title: 'Convert Mask to Image',
  category: 'mask',
  required: { mask: ['MASK'] },
  outputs: [{ type: 'IMAGE' }],
});
