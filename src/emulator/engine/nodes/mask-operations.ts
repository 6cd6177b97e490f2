import type { Mask } from '../values.js';
import type { NodeClass } from '../node-class.js';
import { nodeOf, pixels } from './node-of.js';
import { type Inputs, read } from '../read.js';

const common = {
  pythonModule: 'comfy_extras.nodes_mask',
  category: 'mask',
  outputs: [{ type: 'MASK' }],
} as const;

/** A mask whose bytes are made of their places. */
const maskOf = (width: number, height: number, byteAt: (x: number, y: number) => number): Mask => ({
  ...{ kind: 'MASK', width, height },
  bytes: Uint8Array.from({ length: width * height }, (_, at) =>
    Math.min(255, Math.max(0, Math.round(byteAt(at % width, Math.floor(at / width))))),
  ),
});

const cropped = (inputs: Inputs): Mask => {
  const mask = read.mask(inputs, 'mask');
  const [x, y] = [read.number(inputs, 'x'), read.number(inputs, 'y')];
  const width = Math.max(0, Math.min(read.number(inputs, 'width'), mask.width - x));
  const height = Math.max(0, Math.min(read.number(inputs, 'height'), mask.height - y));
  return maskOf(width, height, (column, row) => mask.bytes[(row + y) * mask.width + column + x] ?? 0);
};

/**
 * What an edge of so many rows leaves of each row, from the first: it grows towards the middle. At the far edge an engine counts
 * from the end, where its row 0 is the first one again.
 */
const fades = (size: number, near: number, far: number): readonly number[] => {
  const left = new Array<number>(size).fill(1);
  const fade = (row: number, by: number): void => {
    left[row] = (left[row] ?? 1) * by;
  };
  const [first, last] = [Math.min(near, size), Math.min(far, size)];
  for (let row = 0; row < first; row += 1) fade(row, (row + 1) / first);
  for (let row = 0; row < last; row += 1) fade(row === 0 ? 0 : size - row, (row + 1) / last);
  return left;
};

const feathered = (inputs: Inputs): Mask => {
  const mask = read.mask(inputs, 'mask');
  const columns = fades(mask.width, read.number(inputs, 'left'), read.number(inputs, 'right'));
  const rows = fades(mask.height, read.number(inputs, 'top'), read.number(inputs, 'bottom'));
  return maskOf(
    mask.width,
    mask.height,
    (x, y) => (mask.bytes[y * mask.width + x] ?? 0) * (columns[x] ?? 1) * (rows[y] ?? 1),
  );
};

/** Each step takes the largest of the neighbours, or the smallest, corners apart where these are tapered. */
const grown = (inputs: Inputs): Mask => {
  const steps = read.number(inputs, 'expand');
  const isTapered = read.flag(inputs, 'tapered_corners', true);
  const pick = steps < 0 ? Math.min : Math.max;
  let mask = read.mask(inputs, 'mask');
  const { width, height } = mask;
  for (let step = 0; step < Math.abs(steps); step += 1) {
    const { bytes } = mask;
    const at = (x: number, y: number): number =>
      bytes[Math.min(height - 1, Math.max(0, y)) * width + Math.min(width - 1, Math.max(0, x))] ?? 0;
    const next = maskOf(width, height, (x, y) => {
      const cross = pick(at(x, y), at(x - 1, y), at(x + 1, y), at(x, y - 1), at(x, y + 1));
      if (isTapered) return cross;
      return pick(cross, at(x - 1, y - 1), at(x + 1, y - 1), at(x - 1, y + 1), at(x + 1, y + 1));
    });
    if (next.bytes.every((byte, place) => byte === bytes[place])) break;
    mask = next;
  }
  return mask;
};

const operations: Readonly<Record<string, (to: number, from: number) => number>> = {
  multiply: (to, from) => (to * from) / 255,
  add: (to, from) => to + from,
  subtract: (to, from) => to - from,
  and: (to, from) => (to > 127 && from > 127 ? 255 : 0),
  or: (to, from) => (to > 127 || from > 127 ? 255 : 0),
  xor: (to, from) => (to > 127 !== from > 127 ? 255 : 0),
};

const composed = (inputs: Inputs): Mask => {
  const [to, from] = [read.mask(inputs, 'destination'), read.mask(inputs, 'source')];
  const [left, top] = [read.number(inputs, 'x'), read.number(inputs, 'y')];
  const join = operations[read.text(inputs, 'operation')] ?? ((given: number) => given);
  return maskOf(to.width, to.height, (x, y) => {
    const own = to.bytes[y * to.width + x] ?? 0;
    const isInside = x >= left && y >= top && x < left + from.width && y < top + from.height;
    return isInside ? join(own, from.bytes[(y - top) * from.width + x - left] ?? 0) : own;
  });
};

/** The engine's classes that change masks. */
export const maskOperations: readonly NodeClass[] = [
  nodeOf(
    {
      ...{ ...common, name: 'CropMask' },
      required: { mask: ['MASK'], x: pixels(0), y: pixels(0), width: pixels(512, 1), height: pixels(512, 1) },
    },
    (inputs) => [cropped(inputs)],
  ),
  nodeOf(
    {
      ...{ ...common, name: 'FeatherMask' },
      required: { mask: ['MASK'], left: pixels(0), top: pixels(0), right: pixels(0), bottom: pixels(0) },
    },
    (inputs) => [feathered(inputs)],
  ),
  nodeOf(
    {
      ...{ ...common, name: 'GrowMask' },
      required: {
        mask: ['MASK'],
        expand: ['INT', { default: 0, min: -16_384, max: 16_384, step: 1 }],
        tapered_corners: ['BOOLEAN', { default: true }],
      },
    },
    (inputs) => [grown(inputs)],
  ),
  nodeOf(
    {
      ...{ ...common, name: 'ThresholdMask' },
      required: { mask: ['MASK'], value: ['FLOAT', { default: 0.5, min: 0, max: 1, step: 0.01 }] },
    },
    (inputs) => {
      const mask = read.mask(inputs, 'mask');
      const most = read.number(inputs, 'value') * 255;
      return [{ ...mask, bytes: mask.bytes.map((byte) => (byte > most ? 255 : 0)) } satisfies Mask];
    },
  ),
  nodeOf(
    {
      ...{ ...common, name: 'MaskComposite' },
      required: {
        ...{ destination: ['MASK'], source: ['MASK'], x: pixels(0), y: pixels(0) },
        operation: [Object.keys(operations)],
      },
    },
    (inputs) => [composed(inputs)],
  ),
  nodeOf(
    {
      ...{ ...common, name: 'ImageColorToMask' },
      required: {
        image: ['IMAGE'],
        color: ['INT', { default: 0, min: 0, max: 0xffffff, step: 1, display: 'color' }],
      },
    },
    (inputs) => {
      const [picture] = read.images(inputs, 'image');
      const { width, height, rgb } = picture ?? { width: 0, height: 0, rgb: new Uint8Array() };
      const color = read.number(inputs, 'color');
      const colorAt = (at: number): number =>
        ((rgb[at] ?? 0) << 16) | ((rgb[at + 1] ?? 0) << 8) | (rgb[at + 2] ?? 0);
      return [maskOf(width, height, (x, y) => (colorAt((y * width + x) * 3) === color ? 255 : 0))];
    },
  ),
];
