import { randomInt } from 'node:crypto';
import type { Workflow } from '../sample-workflows.js';

/** The smallest job: a picture of one colour, which needs no model. New with each call. */
export const emptyImage = (): Workflow => ({
  image: {
    class_type: 'EmptyImage',
    inputs: { width: 64, height: 64, batch_size: 1, color: randomInt(0xffffff) },
  },
  save: { class_type: 'SaveImage', inputs: { images: ['image', 0], filename_prefix: 'conformance' } },
});
