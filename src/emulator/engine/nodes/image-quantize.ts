import { type Colour, nearestOf, paletteOf } from '../palette.js';
import type { NodeClass, Picture } from '../node-class.js';
import { nodeOf, oneOf } from './node-of.js';
import { read } from '../read.js';

const byte = (value: number): number => Math.min(255, Math.max(0, Math.round(value)));

/** Every pixel gets the nearest colour to what it has together with what is added at its place. */
const mapped = (
  { width, height, rgb }: Picture,
  palette: readonly Colour[],
  addedAt: (x: number, y: number) => number,
): Picture => {
  const nearest = nearestOf(palette);
  const result = new Uint8Array(rgb.length);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * 3;
      const shifted = (channel: number): number =>
        Math.floor(Math.min(255, Math.max(0, (rgb[at + channel] ?? 0) + addedAt(x, y))));
      result.set(nearest(shifted(0), shifted(1), shifted(2)), at);
    }
  return { width, height, rgb: result };
};

/** The rank of a place in a square whose edge is a power of two (Bayer's matrix). */
const rankOf = (x: number, y: number, edge: number): number =>
  edge === 1
    ? 0
    : (edge / 2) ** 2 * ([0, 2, 3, 1][(y % 2) * 2 + (x % 2)] ?? 0) +
      rankOf(Math.floor(x / 2), Math.floor(y / 2), edge / 2);

/** Each place of a square adds another amount, of twice the distance between colours that are evenly spread. */
const ordered = (picture: Picture, palette: readonly Colour[], edge: number): Picture => {
  const spread = 512 / palette.length;
  const amounts = Array.from({ length: edge * edge }, (_, at) => {
    const rank = rankOf(at % edge, Math.floor(at / edge), edge);
    return spread * ((rank + 0.5) / (edge * edge) - 0.5) + 0.5;
  });
  return mapped(picture, palette, (x, y) => amounts[(y % edge) * edge + (x % edge)] ?? 0);
};

/** Hands what a pixel is off on to its neighbours: 7, 3, 5 and 1 sixteenths of it. */
const diffused = ({ width, height, rgb }: Picture, palette: readonly Colour[]): Picture => {
  const nearest = nearestOf(palette);
  const rest = Float32Array.from(rgb);
  const result = new Uint8Array(rgb.length);
  const give = (x: number, y: number, channel: number, error: number): void => {
    if (x < 0 || x >= width || y >= height) return;
    const at = (y * width + x) * 3 + channel;
    rest[at] = (rest[at] ?? 0) + error;
  };
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * 3;
      const wanted = (channel: number): number => byte(rest[at + channel] ?? 0);
      const colour = nearest(wanted(0), wanted(1), wanted(2));
      result.set(colour, at);
      for (const [channel, value] of colour.entries()) {
        const error = (wanted(channel) - value) / 16;
        give(x + 1, y, channel, error * 7);
        give(x - 1, y + 1, channel, error * 3);
        give(x, y + 1, channel, error * 5);
        give(x + 1, y + 1, channel, error);
      }
    }
  return { width, height, rgb: result };
};

const quantized = (picture: Picture, most: number, dither: string): Picture => {
  const palette = paletteOf(picture, most);
  if (dither === 'floyd-steinberg') return diffused(picture, palette);
  if (dither.startsWith('bayer-')) return ordered(picture, palette, Number(dither.slice('bayer-'.length)));
  return mapped(picture, palette, () => 0);
};

/**
 * Shows each picture with so many colours of its own.
 *
 * A picture keeps its colours where they are few enough, and one colour is the mean. In between, an engine has its colours from PIL,
 * whose median cut divides in another order, and which looks the nearest ones up in a coarser table: colours, and pixels half-way
 * between two of them, may differ.
 */
export const imageQuantize: NodeClass = nodeOf(
  {
    ...{ name: 'ImageQuantize', pythonModule: 'comfy_extras.nodes_post_processing', style: 'new' },
    category: 'image/postprocessing',
    required: {
      image: ['IMAGE', {}],
      colors: ['INT', { default: 256, min: 1, max: 256, step: 1 }],
      dither: oneOf('none', 'floyd-steinberg', 'bayer-2', 'bayer-4', 'bayer-8', 'bayer-16'),
    },
    outputs: [{ type: 'IMAGE' }],
  },
  (inputs) => {
    const [most, dither] = [read.number(inputs, 'colors'), read.text(inputs, 'dither')];
    return [read.images(inputs, 'image').map((picture) => quantized(picture, most, dither))];
  },
);
