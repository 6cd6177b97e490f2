import { claimMemory, define, instant } from '../define.js';
import type { Mask } from '../values.js';
import { type NodeClass, NodeFailure } from '../node-class.js';
import { read } from '../read.js';

const pythonModule = 'comfy_extras.nodes_mask';

/** Makes a mask that holds everywhere to the same degree. */
export const solidMask: NodeClass = {
  definition: () => solidMaskDefinition,
  execute: instant((inputs) => {
    const [width, height] = [read.number(inputs, 'width'), read.number(inputs, 'height')];
    claimMemory(width * height);
    const bytes = new Uint8Array(width * height).fill(Math.round(read.number(inputs, 'value') * 255));
    return { values: [{ kind: 'MASK', width, height, bytes } satisfies Mask] };
  }),
};

const solidMaskDefinition = define({
  name: 'SolidMask',
  pythonModule,
  category: 'mask',
  required: {
    value: ['FLOAT', { default: 1, min: 0, max: 1, step: 0.01 }],
    width: ['INT', { default: 512, min: 1, max: 16_384, step: 1 }],
    height: ['INT', { default: 512, min: 1, max: 16_384, step: 1 }],
  },
  outputs: [{ type: 'MASK' }],
});

/** Turns a mask into its opposite. */
export const invertMask: NodeClass = {
  definition: () => invertMaskDefinition,
  execute: instant((inputs) => {
    const mask = read.mask(inputs, 'mask');
    return { values: [{ ...mask, bytes: mask.bytes.map((value) => 255 - value) } satisfies Mask] };
  }),
};

const invertMaskDefinition = define({
  name: 'InvertMask',
  pythonModule,
  category: 'mask',
  required: { mask: ['MASK'] },
  outputs: [{ type: 'MASK' }],
});

/** Takes one channel of a picture as a mask; the pictures of this engine have no fourth one. */
export const imageToMask: NodeClass = {
  definition: () => imageToMaskDefinition,
  execute: instant((inputs) => {
    const [picture] = read.images(inputs, 'image');
    const channel = ['red', 'green', 'blue'].indexOf(read.text(inputs, 'channel'));
    if (picture === undefined || channel < 0)
      throw new NodeFailure('IndexError', 'index 3 is out of bounds for dimension 3 with size 3');
    const { width, height, rgb } = picture;
    const bytes = Uint8Array.from({ length: width * height }, (_, pixel) => rgb[pixel * 3 + channel] ?? 0);
    return { values: [{ kind: 'MASK', width, height, bytes } satisfies Mask] };
  }),
};

const imageToMaskDefinition = define({
  name: 'ImageToMask',
  title: 'Convert Image to Mask',
  pythonModule,
  category: 'mask',
  required: { image: ['IMAGE'], channel: [['red', 'green', 'blue', 'alpha']] },
  outputs: [{ type: 'MASK' }],
});
