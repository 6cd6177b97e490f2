import { claimMemory, define, instant, ofTheEmulator } from '../define.js';
import { cut, resize } from '../resize.js';
import { greyOf } from '../mask-shapes.js';
import { mirrored } from '../picture-shapes.js';
import { type Inputs, read } from '../read.js';
import { type NodeClass, NodeFailure, type Picture } from '../node-class.js';

/** Mirrors pictures. */
export const imageFlip: NodeClass = {
  definition: () => imageFlipDefinition,
  execute: instant((inputs) => {
    const upsideDown = read.text(inputs, 'flip_method').startsWith('x');
    return { values: [read.images(inputs, 'image').map((picture) => mirrored(picture, upsideDown))] };
  }),
};

const imageFlipDefinition = define({
  name: 'ImageFlip',
  pythonModule: 'comfy_extras.nodes_images',
  category: 'image/transform',
  required: { image: ['IMAGE'], flip_method: [['x-axis: vertically', 'y-axis: horizontally']] },
  outputs: [{ type: 'IMAGE' }],
  flags: { deprecated: true },
});

/** Turns every colour into its opposite. */
export const imageInvert: NodeClass = {
  definition: () => imageInvertDefinition,
  execute: instant((inputs) => ({
    values: [
      read
        .images(inputs, 'image')
        .map((picture) => ({ ...picture, rgb: picture.rgb.map((value) => 255 - value) })),
    ],
  })),
};

const imageInvertDefinition = define({
  name: 'ImageInvert',
  title: 'Invert Image',
  category: 'image',
  required: { image: ['IMAGE'] },
  outputs: [{ type: 'IMAGE' }],
});

/** Brings pictures to a size; a width or height of 0 follows from the other one. */
export const imageScale: NodeClass = {
  definition: () => imageScaleDefinition,
  execute: instant((inputs) => {
    const method = read.text(inputs, 'upscale_method');
    const crop = read.text(inputs, 'crop');
    const width = read.number(inputs, 'width');
    const height = read.number(inputs, 'height');
    const pictures = read.images(inputs, 'image');
    const sizes = pictures.map((picture) => sizeOf(picture, width, height));
    claimMemory(sizes.reduce((sum, size) => sum + size.width * size.height, 0));
    return {
      values: [
        pictures.map((picture, index) => resize(picture, { ...(sizes[index] ?? picture), method, crop })),
      ],
    };
  }),
};

const sizeOf = (
  picture: Picture,
  width: number,
  height: number,
): { readonly width: number; readonly height: number } => ({
  width: width || Math.max(1, Math.round(height ? (picture.width * height) / picture.height : picture.width)),
  height:
    height || Math.max(1, Math.round(width ? (picture.height * width) / picture.width : picture.height)),
});

const imageScaleDefinition = define({
  name: 'ImageScale',
  title: 'Upscale Image',
  category: 'image/upscaling',
  required: {
    image: ['IMAGE'],
    upscale_method: [['nearest-exact', 'bilinear', 'area', 'bicubic', 'lanczos']],
    width: ['INT', { default: 512, min: 0, max: 16_384, step: 1 }],
    height: ['INT', { default: 512, min: 0, max: 16_384, step: 1 }],
    crop: [['disabled', 'center']],
  },
  outputs: [{ type: 'IMAGE' }],
});

/** Resizes pictures in one of two ways, each with inputs of its own (`mode.factor`, or `mode.longest_edge`). */
export const resizeImage: NodeClass = {
  definition: () => resizeImageDefinition,
  execute: instant((inputs) => {
    const byFactor = inputs['mode'] !== 'longest edge';
    const options = read.group({ ...inputs, mode: undefined }, 'mode');
    return {
      values: [
        read.images(inputs, 'image').map((picture) => scaled(picture, factorFor(picture, options, byFactor))),
      ],
    };
  }),
};

const factorFor = ({ width, height }: Picture, options: Inputs, byFactor: boolean): number =>
  byFactor
    ? read.number(options, 'factor', 2)
    : read.number(options, 'longest_edge', 256) / Math.max(width, height);

const scaled = (picture: Picture, factor: number): Picture =>
  resize(picture, {
    width: Math.max(1, Math.round(picture.width * factor)),
    height: Math.max(1, Math.round(picture.height * factor)),
  });

const resizeImageDefinition = define({
  name: 'ResizeImage',
  pythonModule: ofTheEmulator,
  category: 'image/transform',
  style: 'new',
  required: {
    image: ['IMAGE', {}],
    mode: [
      'COMFY_DYNAMICCOMBO_V3',
      {
        options: [
          {
            key: 'factor',
            inputs: { required: { factor: ['FLOAT', { default: 2, min: 0.01, max: 4, step: 0.01 }] } },
          },
          {
            key: 'longest edge',
            inputs: { required: { longest_edge: ['INT', { default: 256, min: 1, max: 4096 }] } },
          },
        ],
      },
    ],
  },
  outputs: [{ type: 'IMAGE' }],
});

/** Joins any number of pictures (`images.image0`, `images.image1`, …) into one batch. */
export const batchImages: NodeClass = {
  definition: () => batchImagesDefinition,
  execute: instant((inputs) => {
    const group = read.group(inputs, 'images');
    const names = Object.keys(group).sort((a, b) => placeOf(a) - placeOf(b));
    const batch = names.flatMap((name) => read.images(group, name));
    if (batch.length === 0) throw new NodeFailure('ValueError', 'there is no picture to put into a batch');
    return { values: [batch] };
  }),
};

const placeOf = (name: string): number => Number(name.replace(/^\D+/, ''));

const batchImagesDefinition = define({
  name: 'BatchImages',
  pythonModule: ofTheEmulator,
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

/** Makes the frames of a slow pan: a window of three quarters of the width that moves across the picture. */
export const panFrames: NodeClass = {
  definition: () => panFramesDefinition,
  execute: instant((inputs) => {
    const frames = read.number(inputs, 'frames');
    return { values: [read.images(inputs, 'image').flatMap((picture) => pan(picture, frames))] };
  }),
};

const pan = (picture: Picture, frames: number): readonly Picture[] => {
  const width = Math.max(1, Math.floor(picture.width * 0.75));
  const room = picture.width - width;
  return Array.from({ length: frames }, (_, frame) => {
    const left = frames === 1 ? 0 : Math.round((room * frame) / (frames - 1));
    return cut(picture, { left, top: 0, width, height: picture.height });
  });
};

const panFramesDefinition = define({
  name: 'PanFrames',
  pythonModule: ofTheEmulator,
  title: 'Pan across Image',
  category: 'image/animation',
  required: { image: ['IMAGE'], frames: ['INT', { default: 16, min: 1, max: 48, display: 'slider' }] },
  outputs: [{ type: 'IMAGE', name: 'frames' }],
  flags: { experimental: true },
});

/** Shows a mask as a grey picture: white where it holds. */
export const maskToImage: NodeClass = {
  definition: () => maskToImageDefinition,
  execute: instant((inputs) => {
    return { values: [[greyOf(read.mask(inputs, 'mask'))]] };
  }),
};

const maskToImageDefinition = define({
  name: 'MaskToImage',
  pythonModule: 'comfy_extras.nodes_mask',
  title: 'Convert Mask to Image',
  category: 'mask',
  required: { mask: ['MASK'] },
  outputs: [{ type: 'IMAGE' }],
});
