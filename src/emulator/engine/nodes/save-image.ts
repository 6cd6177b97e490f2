import { define } from '../define.js';
import { fileMetadata } from '../file-metadata.js';
import { encodePng } from '../files/png.js';
import { instant } from '../instant.js';
import type { NodeClass } from '../node-class.js';
import { read } from '../read.js';

/** Saves pictures as PNG files that carry the workflow they come from. */
export const saveImage: NodeClass = {
  definition: () => definition,
  execute: instant((inputs, context) => {
    const prefix = read.text(inputs, 'filename_prefix', 'ComfyUI');
    const text = fileMetadata(context);
    const images = read
      .images(inputs, 'images')
      .map((picture) =>
        context.save({ bytes: encodePng(picture, { text }), extension: 'png', prefix, type: 'output' }),
      );
    return { values: [], ui: { images } };
  }),
};

const definition = define({
  name: 'SaveImage',
  title: 'Save Image',
  description: 'Saves the pictures as files.',
  category: 'image',
  required: {
    images: ['IMAGE', { tooltip: 'The pictures to save.' }],
    filename_prefix: ['STRING', { default: 'ComfyUI', tooltip: 'How the file names begin.' }],
  },
  hidden: { prompt: 'PROMPT', extra_pnginfo: 'EXTRA_PNGINFO' },
  outputNode: true,
});
