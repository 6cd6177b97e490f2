import { cut } from '../cut.js';
import { define } from '../define.js';
import { instant } from '../instant.js';
import type { NodeClass, Picture } from '../node-class.js';
import { read } from '../read.js';

/** Makes the frames of a slow pan: a window of three quarters of the width that moves across the picture. */
export const panFrames: NodeClass = {
  definition: () => definition,
  execute: instant((inputs) => {
    const frames = read.number(inputs, 'frames');
    return { values: [read.images(inputs, 'image').flatMap((picture) => pan(picture, frames))] };
  }),
};

const pan = (picture: Picture, frames: number): readonly Picture[] => {
  const width = Math.max(1, Math.floor(picture.width * 0.75));
  const room = picture.width - width;
  return Array.from({ length: frames }, (_, frame) => {
    const left = frames === 1 ? 0 : Math.round((room * frame) / (frames - 1));
    return cut(picture, { left, top: 0, width, height: picture.height });
  });
};

const definition = define({
  name: 'PanFrames',
  title: 'Pan across Image',
  category: 'image/animation',
  required: { image: ['IMAGE'], frames: ['INT', { default: 16, min: 1, max: 48, display: 'slider' }] },
  outputs: [{ type: 'IMAGE', name: 'frames' }],
  flags: { experimental: true },
});
