import { claimMemory } from '../define.js';
import type { ImageBatch, Mask } from '../values.js';
import type { NodeClass, Picture } from '../node-class.js';
import { batchSize, nodeOf, oneOf, pixels } from './node-of.js';
import { type Inputs, read } from '../read.js';
import { pasted, plain, turned } from '../picture-shapes.js';
import { resize } from '../resize.js';

const module = { pythonModule: 'comfy_extras.nodes_images', outputs: [{ type: 'IMAGE' }] } as const;
const methods = ['area', 'bicubic', 'nearest-exact', 'bilinear', 'lanczos'] as const;

const each =
  (change: (picture: Picture, inputs: Inputs) => Picture) =>
  (inputs: Inputs): readonly ImageBatch[] => [read.images(inputs, 'image').map((one) => change(one, inputs))];

/** Scales a picture to a size, none of whose edges is below 1. */
const scaled = (picture: Picture, width: number, height: number, method: string): Picture => {
  const size = { width: Math.max(1, Math.round(width)), height: Math.max(1, Math.round(height)) };
  claimMemory(size.width * size.height);
  return resize(picture, { ...size, method });
};

const turns: readonly string[] = ['none', '90 degrees', '180 degrees', '270 degrees'];

const padded = (picture: Picture, inputs: Inputs): Picture => {
  const [width, height] = [read.number(inputs, 'target_width'), read.number(inputs, 'target_height')];
  const factor = Math.min(width / picture.width, height / picture.height);
  const inner = resize(picture, {
    width: Math.max(1, Math.trunc(picture.width * factor)),
    height: Math.max(1, Math.trunc(picture.height * factor)),
    method: read.text(inputs, 'interpolation'),
  });
  claimMemory(width * height);
  const edge = read.text(inputs, 'padding_color') === 'black' ? 0 : 255;
  const [left, top] = [Math.floor((width - inner.width) / 2), Math.floor((height - inner.height) / 2)];
  return pasted(plain(width, height, [edge, edge, edge]), inner, left, top);
};

/** Grey around the picture, and a mask that holds there and fades into the picture. */
const outpainted = (inputs: Inputs): readonly [ImageBatch, Mask] => {
  const pictures = read.images(inputs, 'image');
  const { width: inner = 0, height: tall = 0 } = pictures[0] ?? {};
  const of = (name: string): number => read.number(inputs, name);
  const [left, top, right, bottom, feather] = [
    of('left'),
    of('top'),
    of('right'),
    of('bottom'),
    of('feathering'),
  ];
  const [width, height] = [inner + left + right, tall + top + bottom];
  claimMemory(width * height * pictures.length);
  const grey = plain(width, height, [127, 127, 127]);
  const isFeathered = feather > 0 && feather * 2 < tall && feather * 2 < inner;
  const bytes = new Uint8Array(width * height).fill(255);
  for (let y = 0; y < tall; y += 1)
    for (let x = 0; x < inner; x += 1) {
      const near = Math.min(
        top !== 0 ? y : tall,
        bottom !== 0 ? tall - y : tall,
        left !== 0 ? x : inner,
        right !== 0 ? inner - x : inner,
      );
      const fade = isFeathered && near < feather ? ((feather - near) / feather) ** 2 : 0;
      bytes[(y + top) * width + x + left] = Math.round(fade * 255);
    }
  return [pictures.map((one) => pasted(grey, one, left, top)), { kind: 'MASK', width, height, bytes }];
};

/** The engine's classes that turn pictures, and give them another size or frame. */
export const imageGeometry: readonly NodeClass[] = [
  nodeOf(
    {
      ...{ ...module, name: 'ImageRotate', category: 'image/transform' },
      required: { image: ['IMAGE'], rotation: [turns] },
    },
    each((picture, inputs) => {
      let result = picture;
      for (let turn = turns.indexOf(read.text(inputs, 'rotation')); turn > 0; turn -= 1)
        result = turned(result);
      return result;
    }),
  ),
  nodeOf(
    {
      ...{ ...module, name: 'ImageFromBatch', category: 'image/batch' },
      required: {
        image: ['IMAGE'],
        batch_index: ['INT', { default: 0, min: 0, max: 4095 }],
        length: batchSize,
      },
    },
    (inputs) => {
      const pictures = read.images(inputs, 'image');
      const first = Math.min(pictures.length - 1, read.number(inputs, 'batch_index'));
      return [pictures.slice(first, first + read.number(inputs, 'length'))];
    },
  ),
  nodeOf(
    {
      ...{ ...module, name: 'ImageScaleToMaxDimension', category: 'image/upscaling' },
      required: {
        image: ['IMAGE'],
        // The engine names one of them twice.
        upscale_method: [['area', 'lanczos', 'bilinear', 'nearest-exact', 'bilinear', 'bicubic']],
        largest_size: pixels(512),
      },
    },
    each((picture, inputs) => {
      const factor = read.number(inputs, 'largest_size') / Math.max(picture.width, picture.height);
      const method = read.text(inputs, 'upscale_method');
      return scaled(picture, picture.width * factor, picture.height * factor, method);
    }),
  ),
  nodeOf(
    {
      name: 'ImageScaleToTotalPixels',
      pythonModule: 'comfy_extras.nodes_post_processing',
      style: 'new',
      category: 'image/upscaling',
      required: {
        image: ['IMAGE', {}],
        upscale_method: oneOf('nearest-exact', 'bilinear', 'area', 'bicubic', 'lanczos'),
        megapixels: ['FLOAT', { default: 1, min: 0.01, max: 16, step: 0.01 }],
      },
      outputs: [{ type: 'IMAGE' }],
    },
    each((picture, inputs) => {
      const total = Math.trunc(read.number(inputs, 'megapixels') * 1024 * 1024);
      const factor = Math.sqrt(total / (picture.width * picture.height));
      const method = read.text(inputs, 'upscale_method');
      return scaled(picture, picture.width * factor, picture.height * factor, method);
    }),
  ),
  nodeOf(
    {
      ...{ ...module, name: 'ResizeAndPadImage', category: 'image/transform' },
      required: {
        ...{ image: ['IMAGE'], target_width: pixels(512, 1), target_height: pixels(512, 1) },
        ...{ padding_color: [['white', 'black']], interpolation: [methods] },
      },
    },
    each(padded),
  ),
  nodeOf(
    {
      name: 'ImagePadForOutpaint',
      title: 'Pad Image for Outpainting',
      category: 'image',
      required: {
        ...{ image: ['IMAGE'], left: pixels(0, 0, 8), top: pixels(0, 0, 8), right: pixels(0, 0, 8) },
        ...{ bottom: pixels(0, 0, 8), feathering: pixels(40) },
      },
      outputs: [{ type: 'IMAGE' }, { type: 'MASK' }],
    },
    outpainted,
  ),
];
