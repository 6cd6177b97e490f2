import { define, instant } from '../define.js';
import { encodePng } from '../files/png.js';
import { fileMetadata } from './save.js';
import type { Inputs } from '../read.js';
import type { NodeClass, NodeContext } from '../node-class.js';
import { read } from '../read.js';

/** Shows two pictures for a comparison, as temporary files under keys of their own; either may be missing. */
export const imageCompare: NodeClass = {
  definition: () => imageCompareDefinition,
  execute: instant((inputs, context) => ({
    values: [],
    ui: {
      a_images: previewed(inputs, 'image_a', 'comfy.compare.a', context),
      b_images: previewed(inputs, 'image_b', 'comfy.compare.b', context),
    },
  })),
};

const previewed = (inputs: Inputs, name: string, prefix: string, context: NodeContext): readonly unknown[] =>
  name in inputs
    ? read.images(inputs, name).map((picture) =>
        context.save({
          bytes: encodePng(picture, { text: fileMetadata(context) }),
          ...{ extension: 'png', type: 'temp', prefix },
        }),
      )
    : [];

const imageCompareDefinition = define({
  name: 'ImageCompare',
  style: 'new',
  title: 'Image Compare',
  description: 'Shows two pictures beside each other, with a slider between.',
  category: 'image',
  pythonModule: 'comfy_extras.nodes_image_compare',
  optional: { image_a: ['IMAGE', {}], image_b: ['IMAGE', {}], compare_view: ['IMAGECOMPARE', {}] },
  flags: { experimental: true },
  outputNode: true,
});
