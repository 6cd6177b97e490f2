import { cannyEdges } from '../edges.js';
import type { InputSpec, NodeClass } from '../node-class.js';
import { nodeOf } from './node-of.js';
import { read } from '../read.js';

const threshold = (usual: number): InputSpec => [
  'FLOAT',
  { default: usual, min: 0.01, max: 0.99, step: 0.01 },
];

/** Draws the edges of pictures, white on black. */
export const canny: NodeClass = nodeOf(
  {
    ...{ name: 'Canny', style: 'new', pythonModule: 'comfy_extras.nodes_canny' },
    category: 'image/preprocessors',
    required: { image: ['IMAGE', {}], low_threshold: threshold(0.4), high_threshold: threshold(0.8) },
    outputs: [{ type: 'IMAGE' }],
  },
  (inputs) => {
    const thresholds = {
      low: read.number(inputs, 'low_threshold'),
      high: read.number(inputs, 'high_threshold'),
    };
    return [
      read.images(inputs, 'image').map((picture) => {
        const edges = cannyEdges(picture, thresholds);
        const rgb = Uint8Array.from(picture.rgb, (_, at) => edges[Math.floor(at / 3)] ?? 0);
        return { width: picture.width, height: picture.height, rgb };
      }),
    ];
  },
);
