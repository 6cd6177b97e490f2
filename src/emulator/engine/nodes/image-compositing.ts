import { fittedMask } from '../mask-shapes.js';
import type { Mask } from '../values.js';
import type { NodeClass, Picture } from '../node-class.js';
import { nodeOf, pixels } from './node-of.js';
import { type Inputs, read } from '../read.js';
import { resize } from '../resize.js';

const byModule = { style: 'new', pythonModule: 'comfy_extras.nodes_compositing' } as const;

/** Puts a picture on another one where the mask holds, as far as it reaches into it. */
const composed = (under: Picture, given: Picture, inputs: Inputs): Picture => {
  const { width, height } = under;
  const over = read.flag(inputs, 'resize_source', false) ? resize(given, { width, height }) : given;
  const [left, top] = [Math.min(read.number(inputs, 'x'), width), Math.min(read.number(inputs, 'y'), height)];
  const mask =
    inputs['mask'] === undefined || inputs['mask'] === null ? undefined : read.mask(inputs, 'mask');
  const held = mask && fittedMask(mask, over.width, over.height);
  const rgb = under.rgb.slice();
  for (let y = top; y < Math.min(height, top + over.height); y += 1)
    for (let x = left; x < Math.min(width, left + over.width); x += 1) {
      const from = (y - top) * over.width + x - left;
      const part = (held?.[from] ?? 255) / 255;
      for (let channel = 0; channel < 3; channel += 1) {
        const at = (y * width + x) * 3 + channel;
        rgb[at] = Math.round((over.rgb[from * 3 + channel] ?? 0) * part + (under.rgb[at] ?? 0) * (1 - part));
      }
    }
  return { width, height, rgb };
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
    (inputs) => {
      const source = read.images(inputs, 'source');
      return [
        read
          .images(inputs, 'destination')
          .map((under, at) => composed(under, source[at] ?? source.at(-1) ?? under, inputs)),
      ];
    },
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
