import { composite } from '../composite.js';
import { fittedMask } from '../mask-shapes.js';
import type { ImageBatch, Mask } from '../values.js';
import type { NodeClass, Picture } from '../node-class.js';
import { nodeOf, pixels } from './node-of.js';
import { type Inputs, read } from '../read.js';

const byModule = { style: 'new', pythonModule: 'comfy_extras.nodes_compositing' } as const;

/** Puts pictures on others; a shorter batch begins again. */
const composed = (inputs: Inputs): ImageBatch => {
  const source = read.images(inputs, 'source');
  const hasMask = inputs['mask'] !== undefined && inputs['mask'] !== null;
  const options = {
    ...{ left: read.number(inputs, 'x'), top: read.number(inputs, 'y') },
    resizes: read.flag(inputs, 'resize_source', false),
    mask: hasMask ? read.mask(inputs, 'mask') : undefined,
  };
  return read
    .images(inputs, 'destination')
    .map((under, at) => composite(under, source[at % source.length] ?? under, options));
};

/** The engine's classes that put pictures on one another, and give them a transparency or take it. */
export const imageCompositing: readonly NodeClass[] = [
  nodeOf(
    {
      name: 'ImageCompositeMasked',
      pythonModule: 'comfy_extras.nodes_mask',
      category: 'image',
      required: {
        ...{ destination: ['IMAGE'], source: ['IMAGE'], x: pixels(0), y: pixels(0) },
        resize_source: ['BOOLEAN', { default: false }],
      },
      optional: { mask: ['MASK'] },
      outputs: [{ type: 'IMAGE' }],
    },
    (inputs) => [composed(inputs)],
  ),
  nodeOf(
    {
      ...{ ...byModule, name: 'JoinImageWithAlpha', title: 'Join Image with Alpha' },
      category: 'mask/compositing',
      required: { image: ['IMAGE', {}], alpha: ['MASK', {}] },
      outputs: [{ type: 'IMAGE' }],
    },
    (inputs) => {
      const mask = read.mask(inputs, 'alpha');
      return [
        read.images(inputs, 'image').map((picture): Picture => ({
          ...picture,
          alpha: fittedMask(mask, picture.width, picture.height).map((byte) => 255 - byte),
        })),
      ];
    },
  ),
  nodeOf(
    {
      ...{ ...byModule, name: 'SplitImageWithAlpha', title: 'Split Image with Alpha' },
      category: 'mask/compositing',
      required: { image: ['IMAGE', {}] },
      outputs: [{ type: 'IMAGE' }, { type: 'MASK' }],
    },
    (inputs) => {
      const pictures = read.images(inputs, 'image');
      const { width = 0, height = 0, alpha } = pictures[0] ?? {};
      const bytes = alpha?.map((byte) => 255 - byte) ?? new Uint8Array(width * height);
      return [
        pictures.map(({ width: wide, height: tall, rgb }): Picture => ({ width: wide, height: tall, rgb })),
        { kind: 'MASK', width, height, bytes } satisfies Mask,
      ];
    },
  ),
];
