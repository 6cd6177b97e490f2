import type { NodeClass, Picture } from '../node-class.js';
import { nodeOf, oneOf } from './node-of.js';
import { type Inputs, read } from '../read.js';

const common = { pythonModule: 'comfy_extras.nodes_morphology', style: 'new' } as const;

/** The largest or the smallest of each row's neighbours; an even window reaches one further back. What lies outside doesn't count. */
const alongRows = (
  { width, height, rgb }: Picture,
  size: number,
  pick: (one: number, other: number) => number,
): Picture => {
  const back = Math.floor(size / 2);
  const result = new Uint8Array(rgb.length);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      for (let channel = 0; channel < 3; channel += 1) {
        let found = rgb[(y * width + x) * 3 + channel] ?? 0;
        const last = Math.min(width - 1, x - back + size - 1);
        for (let near = Math.max(0, x - back); near <= last; near += 1)
          found = pick(found, rgb[(y * width + near) * 3 + channel] ?? 0);
        result[(y * width + x) * 3 + channel] = found;
      }
  return { width, height, rgb: result };
};

/** Rows and columns change places. */
const transposed = ({ width, height, rgb }: Picture): Picture => {
  const result = new Uint8Array(rgb.length);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      result.set(rgb.subarray((y * width + x) * 3, (y * width + x) * 3 + 3), (x * height + y) * 3);
  return { width: height, height: width, rgb: result };
};

const inSquare = (picture: Picture, size: number, pick: (one: number, other: number) => number): Picture =>
  transposed(alongRows(transposed(alongRows(picture, size, pick)), size, pick));

const eroded = (picture: Picture, size: number): Picture => inSquare(picture, size, Math.min);
const dilated = (picture: Picture, size: number): Picture => inSquare(picture, size, Math.max);
const opened = (picture: Picture, size: number): Picture => dilated(eroded(picture, size), size);
const closed = (picture: Picture, size: number): Picture => eroded(dilated(picture, size), size);

const difference = (from: Picture, taken: Picture): Picture => ({
  width: from.width,
  height: from.height,
  rgb: from.rgb.map((value, at) => value - (taken.rgb[at] ?? 0)),
});

/** Each operation by its square of so many pixels an edge. */
const operations: Readonly<Record<string, (picture: Picture, size: number) => Picture>> = {
  erode: eroded,
  dilate: dilated,
  open: opened,
  close: closed,
  gradient: (picture, size) => difference(dilated(picture, size), eroded(picture, size)),
  bottom_hat: (picture, size) => difference(closed(picture, size), picture),
  top_hat: (picture, size) => difference(picture, opened(picture, size)),
};

const changed = (inputs: Inputs): readonly Picture[] => {
  const change = operations[read.text(inputs, 'operation')] ?? ((picture: Picture) => picture);
  return read.images(inputs, 'image').map((picture) => change(picture, read.number(inputs, 'kernel_size')));
};

/** The engine's class of morphological operations; each channel of a picture is changed by itself. */
export const imageMorphology: NodeClass = nodeOf(
  {
    ...{ ...common, name: 'Morphology', title: 'ImageMorphology', category: 'image/postprocessing' },
    required: {
      image: ['IMAGE', {}],
      operation: oneOf(...Object.keys(operations)),
      kernel_size: ['INT', { default: 3, min: 3, max: 999, step: 1 }],
    },
    outputs: [{ type: 'IMAGE' }],
  },
  (inputs) => [changed(inputs)],
);
