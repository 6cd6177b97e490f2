import type { Random } from '../../simulation/random.js';
import type { Workflow } from '../../../src/core/protocol/workflow.js';

/** Adds a branch to some workflows whose outputs have a shape of their own: keys of rare nodes, empty lists, marks beside the files. */
export const withShape = (random: Random, workflow: Workflow): Workflow =>
  random.chance(0.5) ? { ...workflow, ...random.pick(shapes)(random) } : workflow;

const pictures = (random: Random, count: number): Workflow => ({
  200: {
    class_type: 'EmptyImage',
    inputs: { width: 16, height: 16, batch_size: count, color: random.below(0xffffff) },
  },
});

const shapes: readonly ((random: Random) => Workflow)[] = [
  // `a_images` and `b_images`, one of them empty.
  (random) => ({
    ...pictures(random, 2),
    201: { class_type: 'ImageCompare', inputs: { [random.pick(['image_a', 'image_b'])]: ['200', 0] } },
  }),
  // `video`, or `images` with `animated`.
  (random) => ({
    ...pictures(random, 2),
    201: { class_type: 'CreateVideo', inputs: { images: ['200', 0], fps: 6 } },
    202: {
      class_type: 'SaveVideo',
      inputs: { video: ['201', 0], filename_prefix: 'video/x', format: 'auto', codec: 'auto' },
    },
  }),
  // `latents`.
  () => ({
    200: { class_type: 'EmptyLatentImage', inputs: { width: 64, height: 64, batch_size: 1 } },
    201: { class_type: 'SaveLatent', inputs: { samples: ['200', 0], filename_prefix: 'latents/x' } },
  }),
  // A preview that says that it does not move.
  (random) => ({
    200: { class_type: 'SolidMask', inputs: { value: random.below(100) / 100, width: 16, height: 16 } },
    201: { class_type: 'MaskPreview', inputs: { mask: ['200', 0] } },
  }),
  // A file that views may send under another type.
  (random) => ({
    200: {
      class_type: 'TextToSvg',
      inputs: { text: `<svg xmlns="http://www.w3.org/2000/svg" width="${random.below(999)}"/>` },
    },
    201: { class_type: 'SaveSVGNode', inputs: { svg: ['200', 0], filename_prefix: 'svg/x' } },
  }),
];
