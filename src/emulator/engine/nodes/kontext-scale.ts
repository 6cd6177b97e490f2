import type { NodeClass, Picture } from '../node-class.js';
import { nodeOf } from './node-of.js';
import { read } from '../read.js';
import { resize } from '../resize.js';

/** The sizes that the model knows best, of about a million pixels: each of these, and turned by a quarter. */
const tall: readonly (readonly [width: number, height: number])[] = [
  [672, 1568],
  [688, 1504],
  [720, 1456],
  [752, 1392],
  [800, 1328],
  [832, 1248],
  [880, 1184],
  [944, 1104],
  [1024, 1024],
];

const sizes = [...tall, ...tall.map(([width, height]) => [height, width] as const)];

/** The size whose shape is nearest. */
const sizeFor = ({ width, height }: Picture): readonly [number, number] => {
  const off = ([wide, high]: readonly [number, number]): number => Math.abs(width / height - wide / high);
  return sizes.reduce((best, size) => (off(size) < off(best) ? size : best));
};

/** Scales pictures to the nearest size that the model of the name knows best; what doesn't fit is cut off evenly. */
export const kontextScale: NodeClass = nodeOf(
  {
    ...{ name: 'FluxKontextImageScale', pythonModule: 'comfy_extras.nodes_flux', style: 'new' },
    description: 'Scales pictures to a size that the model knows well.',
    category: 'advanced/conditioning/flux',
    required: { image: ['IMAGE', {}] },
    outputs: [{ type: 'IMAGE' }],
  },
  (inputs) => {
    const pictures = read.images(inputs, 'image');
    const [width, height] = sizeFor(pictures[0] ?? { width: 1, height: 1, rgb: new Uint8Array() });
    return [pictures.map((picture) => resize(picture, { width, height, method: 'lanczos', crop: 'center' }))];
  },
);
