import { bell, convolved, type Kernel, sharpening } from '../kernels.js';
import type { ImageBatch } from '../values.js';
import type { InputSpec, NodeClass, Picture } from '../node-class.js';
import { nodeOf, oneOf, share } from './node-of.js';
import { type Inputs, read } from '../read.js';
import { resize } from '../resize.js';

const common = {
  pythonModule: 'comfy_extras.nodes_post_processing',
  style: 'new',
  category: 'image/postprocessing',
  outputs: [{ type: 'IMAGE' }],
} as const;

const byte = (value: number): number => Math.round(Math.min(255, Math.max(0, value)));

/** Each value of a picture by itself, from 0 to 1. */
const blends: Readonly<Record<string, (under: number, over: number) => number>> = {
  normal: (_, over) => over,
  multiply: (under, over) => under * over,
  screen: (under, over) => 1 - (1 - under) * (1 - over),
  overlay: (under, over) => (under <= 0.5 ? 2 * under * over : 1 - 2 * (1 - under) * (1 - over)),
  soft_light: (under, over) =>
    over <= 0.5
      ? under - (1 - 2 * over) * under * (1 - under)
      : under + (2 * over - 1) * (softened(under) - under),
  difference: (under, over) => under - over,
};

const softened = (value: number): number =>
  value <= 0.25 ? ((16 * value - 12) * value + 4) * value : Math.sqrt(value);

const blended = (inputs: Inputs): ImageBatch => {
  const second = read.images(inputs, 'image2');
  const amount = read.number(inputs, 'blend_factor');
  const mix = blends[read.text(inputs, 'blend_mode')] ?? ((under: number) => under);
  return read.images(inputs, 'image1').map((picture, at) => {
    const given = second[at] ?? second.at(-1) ?? picture;
    const { width, height } = picture;
    const isSame = given.width === width && given.height === height;
    const over = isSame ? given : resize(given, { width, height, method: 'bicubic', crop: 'center' });
    const rgb = picture.rgb.map((value, place) => {
      const under = value / 255;
      return byte(255 * (under * (1 - amount) + mix(under, (over.rgb[place] ?? 0) / 255) * amount));
    });
    return { width, height, rgb };
  });
};

const filtered = ({ width, height, rgb }: Picture, kernel: Kernel): Picture => ({
  ...{ width, height, rgb: Uint8Array.from(convolved(rgb, { width, height }, kernel), byte) },
});

const radius: InputSpec = ['INT', { default: 1, min: 1, max: 31, step: 1 }];

/** The engine's classes that blend, blur and sharpen pictures. */
export const imageFilters: readonly NodeClass[] = [
  nodeOf(
    {
      ...{ ...common, name: 'ImageBlend' },
      required: {
        ...{ image1: ['IMAGE', {}], image2: ['IMAGE', {}], blend_factor: share(0.5) },
        blend_mode: oneOf(...Object.keys(blends)),
      },
    },
    (inputs) => [blended(inputs)],
  ),
  nodeOf(
    {
      ...{ ...common, name: 'ImageBlur' },
      required: {
        image: ['IMAGE', {}],
        blur_radius: radius,
        sigma: ['FLOAT', { default: 1, min: 0.1, max: 10, step: 0.1 }],
      },
    },
    (inputs) => {
      const kernel = bell(read.number(inputs, 'blur_radius'), read.number(inputs, 'sigma'));
      return [read.images(inputs, 'image').map((picture) => filtered(picture, kernel))];
    },
  ),
  nodeOf(
    {
      ...{ ...common, name: 'ImageSharpen' },
      required: {
        image: ['IMAGE', {}],
        sharpen_radius: radius,
        sigma: ['FLOAT', { default: 1, min: 0.1, max: 10, step: 0.01 }],
        alpha: ['FLOAT', { default: 1, min: 0, max: 5, step: 0.01 }],
      },
    },
    (inputs) => {
      const kernel = sharpening(
        read.number(inputs, 'sharpen_radius'),
        read.number(inputs, 'sigma'),
        read.number(inputs, 'alpha'),
      );
      return [read.images(inputs, 'image').map((picture) => filtered(picture, kernel))];
    },
  ),
];
