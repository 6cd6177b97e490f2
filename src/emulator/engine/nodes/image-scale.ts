import { define } from '../define.js';
import { instant } from '../instant.js';
import { claimMemory } from '../memory.js';
import type { NodeClass, Picture } from '../node-class.js';
import { read } from '../read.js';
import { resize } from '../resize.js';

/** Brings pictures to a size; a width or height of 0 follows from the other one. */
export const imageScale: NodeClass = {
  definition: () => definition,
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

const definition = define({
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
