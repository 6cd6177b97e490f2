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

/** A bell over a square whose edges are at -1 and 1, of sum 1. */
const bell = (size: number, sigma: number): readonly number[] => {
  const at = (index: number): number => (size === 1 ? -1 : -1 + (2 * index) / (size - 1));
  const raw = Array.from({ length: size * size }, (_, index) => {
    const [x, y] = [at(index % size), at(Math.floor(index / size))];
    return Math.exp(-(x * x + y * y) / (2 * sigma * sigma));
  });
  const sum = raw.reduce((total, value) => total + value, 0);
  return raw.map((value) => value / sum);
};

/** Like a mirror at the edge, whose own row is not repeated. */
const reflected = (at: number, size: number): number => {
  if (size === 1) return 0;
  const period = 2 * (size - 1);
  const within = ((at % period) + period) % period;
  return within < size ? within : period - within;
};

const convolved = ({ width, height, rgb }: Picture, kernel: readonly number[], radius: number): Picture => {
  const size = 2 * radius + 1;
  const result = new Uint8Array(rgb.length);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      for (let channel = 0; channel < 3; channel += 1) {
        let sum = 0;
        for (let dy = -radius; dy <= radius; dy += 1) {
          const row = reflected(y + dy, height) * width;
          for (let dx = -radius; dx <= radius; dx += 1) {
            const weight = kernel[(dy + radius) * size + dx + radius] ?? 0;
            sum += weight * (rgb[(row + reflected(x + dx, width)) * 3 + channel] ?? 0);
          }
        }
        result[(y * width + x) * 3 + channel] = byte(sum);
      }
  return { width, height, rgb: result };
};

const sharpening = (radius: number, sigma: number, alpha: number): readonly number[] => {
  const kernel = bell(2 * radius + 1, sigma).map((value) => -value * alpha * 10);
  const sum = kernel.reduce((total, value) => total + value, 0);
  const middle = (kernel.length - 1) / 2;
  return kernel.map((value, at) => (at === middle ? value - sum + 1 : value));
};

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
      const reach = read.number(inputs, 'blur_radius');
      const kernel = bell(2 * reach + 1, read.number(inputs, 'sigma'));
      return [read.images(inputs, 'image').map((picture) => convolved(picture, kernel, reach))];
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
      const reach = read.number(inputs, 'sharpen_radius');
      const kernel = sharpening(reach, read.number(inputs, 'sigma'), read.number(inputs, 'alpha'));
      return [read.images(inputs, 'image').map((picture) => convolved(picture, kernel, reach))];
    },
  ),
];
