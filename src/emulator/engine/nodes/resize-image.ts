import { define } from '../define.js';
import { instant } from '../instant.js';
import type { NodeClass, Picture } from '../node-class.js';
import { read, type Inputs } from '../read.js';
import { resize } from '../resize.js';

/** Resizes pictures in one of two ways, each with inputs of its own (`mode.factor`, or `mode.longest_edge`). */
export const resizeImage: NodeClass = {
  definition: () => definition,
  execute: instant((inputs) => {
    const byFactor = inputs['mode'] !== 'longest edge';
    const options = read.group({ ...inputs, mode: undefined }, 'mode');
    return {
      values: [
        read.images(inputs, 'image').map((picture) => scaled(picture, factorFor(picture, options, byFactor))),
      ],
    };
  }),
};

const factorFor = ({ width, height }: Picture, options: Inputs, byFactor: boolean): number =>
  byFactor
    ? read.number(options, 'factor', 2)
    : read.number(options, 'longest_edge', 256) / Math.max(width, height);

const scaled = (picture: Picture, factor: number): Picture =>
  resize(picture, {
    width: Math.max(1, Math.round(picture.width * factor)),
    height: Math.max(1, Math.round(picture.height * factor)),
  });

const definition = define({
  name: 'ResizeImage',
  category: 'image/transform',
  style: 'new',
  required: {
    image: ['IMAGE', {}],
    mode: [
      'COMFY_DYNAMICCOMBO_V3',
      {
        options: [
          {
            key: 'factor',
            inputs: { required: { factor: ['FLOAT', { default: 2, min: 0.01, max: 4, step: 0.01 }] } },
          },
          {
            key: 'longest edge',
            inputs: { required: { longest_edge: ['INT', { default: 256, min: 1, max: 4096 }] } },
          },
        ],
      },
    ],
  },
  outputs: [{ type: 'IMAGE' }],
});
