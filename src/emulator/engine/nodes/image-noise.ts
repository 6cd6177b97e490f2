import type { NodeClass } from '../node-class.js';
import { nodeOf, share } from './node-of.js';
import { type Random, seededRandom } from '../random.js';
import { read } from '../read.js';

/** A source of normally distributed numbers, of mean 0 and deviation 1, by the method of Box and Muller. */
const normal = (random: Random) => (): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/**
 * Adds noise to pictures, the same for the same seed.
 *
 * The noise has an engine's distribution, and not its values: the emulator has a generator of its own.
 */
export const imageNoise: NodeClass = nodeOf(
  {
    ...{ name: 'ImageAddNoise', pythonModule: 'comfy_extras.nodes_images', category: 'image' },
    required: {
      image: ['IMAGE'],
      seed: [
        'INT',
        {
          ...{ default: 0, min: 0, max: 18_446_744_073_709_551_615n, control_after_generate: true },
          tooltip: 'What the noise is made of.',
        },
      ],
      strength: share(0.5),
    },
    outputs: [{ type: 'IMAGE' }],
  },
  (inputs) => {
    const next = normal(seededRandom(read.seed(inputs, 'seed'), 'noise of pictures'));
    const strength = read.number(inputs, 'strength') * 255;
    return [
      read.images(inputs, 'image').map((picture) => ({
        ...picture,
        rgb: picture.rgb.map((value) => Math.round(Math.min(255, Math.max(0, value + strength * next())))),
      })),
    ];
  },
);
