import { define } from '../define.js';
import { instant } from '../instant.js';
import type { NodeClass } from '../node-class.js';
import { read } from '../read.js';
import type { Video } from '../values.js';

/** Makes a video of a batch of pictures; sound is taken and not kept. */
export const createVideo: NodeClass = {
  definition: () => definition,
  execute: instant((inputs) => {
    const frames = read.images(inputs, 'images');
    return {
      values: [{ kind: 'VIDEO', frames, framesPerSecond: read.number(inputs, 'fps') } satisfies Video],
    };
  }),
};

const definition = define({
  name: 'CreateVideo',
  title: 'Create Video',
  category: 'image/video',
  style: 'new',
  required: { images: ['IMAGE'], fps: ['FLOAT', { default: 30, min: 1, max: 120, step: 1 }] },
  optional: { audio: ['AUDIO'] },
  outputs: [{ type: 'VIDEO' }],
});
