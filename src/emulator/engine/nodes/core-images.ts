import { claimMemory, define, instant } from '../define.js';
import { cut, resize } from '../resize.js';
import type { InputSpec, NodeClass, Picture } from '../node-class.js';
import { read } from '../read.js';

const edge = (least: number, usual: number): InputSpec => [
  'INT',
  { default: usual, min: least, max: 16_384, step: 1 },
];

const amount: InputSpec = ['INT', { default: 1, min: 1, max: 4096 }];

/** Makes pictures of one colour, which is given as a number: `0xRRGGBB`. */
export const emptyImage: NodeClass = {
  definition: () => emptyImageDefinition,
  execute: instant((inputs) => {
    const [width, height] = [read.number(inputs, 'width'), read.number(inputs, 'height')];
    const count = read.number(inputs, 'batch_size', 1);
    claimMemory(width * height * count);
    const color = read.number(inputs, 'color', 0);
    const pixel = [(color >> 16) & 255, (color >> 8) & 255, color & 255];
    const rgb = Uint8Array.from({ length: width * height * 3 }, (_, index) => pixel[index % 3] ?? 0);
    return { values: [Array.from({ length: count }, (): Picture => ({ width, height, rgb }))] };
  }),
};

const emptyImageDefinition = define({
  name: 'EmptyImage',
  category: 'image',
  required: {
    width: edge(1, 512),
    height: edge(1, 512),
    batch_size: amount,
    color: ['INT', { default: 0, min: 0, max: 0xffffff, step: 1, display: 'color' }],
  },
  outputs: [{ type: 'IMAGE' }],
});

/** Joins two batches; the pictures of the second one take the size of the first. */
export const imageBatch: NodeClass = {
  definition: () => imageBatchDefinition,
  execute: instant((inputs) => {
    const [first, second] = [read.images(inputs, 'image1'), read.images(inputs, 'image2')];
    const { width = 1, height = 1 } = first[0] ?? {};
    const fitted = second.map((picture) =>
      picture.width === width && picture.height === height
        ? picture
        : resize(picture, { width, height, crop: 'center' }),
    );
    return { values: [[...first, ...fitted]] };
  }),
};

const imageBatchDefinition = define({
  name: 'ImageBatch',
  title: 'Batch Images',
  category: 'image',
  required: { image1: ['IMAGE'], image2: ['IMAGE'] },
  outputs: [{ type: 'IMAGE' }],
});

/** Tells the size of a batch of pictures, also as progress text. */
export const getImageSize: NodeClass = {
  definition: () => getImageSizeDefinition,
  execute: instant((inputs, context) => {
    const pictures = read.images(inputs, 'image');
    const { width = 0, height = 0 } = pictures[0] ?? {};
    context.text(`width: ${width}, height: ${height}\n batch size: ${pictures.length}`);
    return { values: [width, height, pictures.length] };
  }),
};

const getImageSizeDefinition = define({
  name: 'GetImageSize',
  title: 'Get Image Size',
  description: 'Tells width, height and number of the pictures.',
  pythonModule: 'comfy_extras.nodes_images',
  category: 'image',
  required: { image: ['IMAGE'] },
  hidden: { unique_id: 'UNIQUE_ID' },
  outputs: [
    { type: 'INT', name: 'width' },
    { type: 'INT', name: 'height' },
    { type: 'INT', name: 'batch_size' },
  ],
});

/** Cuts a rectangle out of pictures, as far as they reach. */
export const imageCrop: NodeClass = {
  definition: () => imageCropDefinition,
  execute: instant((inputs) => {
    const of = (name: string): number => read.number(inputs, name);
    const cropped = read.images(inputs, 'image').map((picture) => {
      const [x, y] = [Math.min(of('x'), picture.width - 1), Math.min(of('y'), picture.height - 1)];
      const width = Math.min(of('width'), picture.width - x);
      return cut(picture, { left: x, top: y, width, height: Math.min(of('height'), picture.height - y) });
    });
    return { values: [cropped] };
  }),
};

const imageCropDefinition = define({
  name: 'ImageCrop',
  title: 'Image Crop',
  pythonModule: 'comfy_extras.nodes_images',
  category: 'image/transform',
  required: {
    image: ['IMAGE'],
    width: edge(1, 512),
    height: edge(1, 512),
    x: edge(0, 0),
    y: edge(0, 0),
  },
  outputs: [{ type: 'IMAGE' }],
});

/** Scales pictures by a factor. */
export const imageScaleBy: NodeClass = {
  definition: () => imageScaleByDefinition,
  execute: instant((inputs) => {
    const method = read.text(inputs, 'upscale_method');
    const factor = read.number(inputs, 'scale_by');
    const scaled = (length: number): number => Math.max(1, Math.round(length * factor));
    const pictures = read.images(inputs, 'image');
    claimMemory(pictures.reduce((sum, { width, height }) => sum + scaled(width) * scaled(height), 0));
    const resized = pictures.map((picture) =>
      resize(picture, { width: scaled(picture.width), height: scaled(picture.height), method }),
    );
    return { values: [resized] };
  }),
};

const imageScaleByDefinition = define({
  name: 'ImageScaleBy',
  title: 'Upscale Image By',
  category: 'image/upscaling',
  required: {
    image: ['IMAGE'],
    upscale_method: [['nearest-exact', 'bilinear', 'area', 'bicubic', 'lanczos']],
    scale_by: ['FLOAT', { default: 1, min: 0.01, max: 8, step: 0.01 }],
  },
  outputs: [{ type: 'IMAGE' }],
});

/** Repeats a batch of pictures. */
export const repeatImageBatch: NodeClass = {
  definition: () => repeatImageBatchDefinition,
  execute: instant((inputs) => {
    const pictures = read.images(inputs, 'image');
    const count = read.number(inputs, 'amount');
    claimMemory(pictures.reduce((sum, { width, height }) => sum + width * height, 0) * count);
    return { values: [Array.from({ length: count }, () => pictures).flat()] };
  }),
};

const repeatImageBatchDefinition = define({
  name: 'RepeatImageBatch',
  pythonModule: 'comfy_extras.nodes_images',
  category: 'image/batch',
  required: { image: ['IMAGE'], amount },
  outputs: [{ type: 'IMAGE' }],
});
