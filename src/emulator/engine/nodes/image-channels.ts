import type { ImageBatch } from '../values.js';
import type { NodeClass, Picture } from '../node-class.js';
import { nodeOf } from './node-of.js';
import { read } from '../read.js';

const common = {
  pythonModule: 'comfy_extras.nodes_morphology',
  style: 'new',
  category: 'image/batch',
} as const;

const byte = (value: number): number => Math.round(Math.min(255, Math.max(0, value)));

/** The middle of both differences of colour. */
const middle = 127.5;

/** A grey picture of one value for each pixel of another one. */
const greyOf = (
  { width, height, rgb }: Picture,
  valueOf: (red: number, green: number, blue: number) => number,
): Picture => {
  const result = new Uint8Array(rgb.length);
  for (let at = 0; at < rgb.length; at += 3)
    result.fill(byte(valueOf(rgb[at] ?? 0, rgb[at + 1] ?? 0, rgb[at + 2] ?? 0)), at, at + 3);
  return { width, height, rgb: result };
};

const brightness = (red: number, green: number, blue: number): number =>
  0.299 * red + 0.587 * green + 0.114 * blue;

/** The mean of a pixel's channels. */
const meanAt = ({ rgb }: Picture, at: number): number =>
  ((rgb[at] ?? 0) + (rgb[at + 1] ?? 0) + (rgb[at + 2] ?? 0)) / 3;

const joined = (y: Picture, u: Picture, v: Picture): Picture => {
  const rgb = new Uint8Array(y.rgb.length);
  for (let at = 0; at < rgb.length; at += 3) {
    const light = meanAt(y, at);
    const [blue, red] = [meanAt(u, at) - middle, meanAt(v, at) - middle];
    rgb[at] = byte(light + 1.403 * red);
    rgb[at + 1] = byte(light - 0.714 * red - 0.344 * blue);
    rgb[at + 2] = byte(light + 1.773 * blue);
  }
  return { width: y.width, height: y.height, rgb };
};

/** The engine's classes that take pictures apart into brightness and two differences of colour, and join them. */
export const imageChannels: readonly NodeClass[] = [
  nodeOf(
    {
      ...{ ...common, name: 'ImageRGBToYUV' },
      required: { image: ['IMAGE', {}] },
      outputs: [
        { type: 'IMAGE', name: 'Y' },
        { type: 'IMAGE', name: 'U' },
        { type: 'IMAGE', name: 'V' },
      ],
    },
    (inputs) => {
      const pictures = read.images(inputs, 'image');
      const each = (valueOf: (red: number, green: number, blue: number) => number): ImageBatch =>
        pictures.map((picture) => greyOf(picture, valueOf));
      return [
        each(brightness),
        each((red, green, blue) => middle + 0.564 * (blue - brightness(red, green, blue))),
        each((red, green, blue) => middle + 0.713 * (red - brightness(red, green, blue))),
      ];
    },
  ),
  nodeOf(
    {
      ...{ ...common, name: 'ImageYUVToRGB' },
      required: { Y: ['IMAGE', {}], U: ['IMAGE', {}], V: ['IMAGE', {}] },
      outputs: [{ type: 'IMAGE' }],
    },
    (inputs) => {
      const [u, v] = [read.images(inputs, 'U'), read.images(inputs, 'V')];
      return [read.images(inputs, 'Y').map((y, at) => joined(y, u[at] ?? y, v[at] ?? y))];
    },
  ),
];
