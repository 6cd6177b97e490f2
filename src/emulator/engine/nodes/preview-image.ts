import { define } from '../define.js';
import { fileMetadata } from '../file-metadata.js';
import { encodePng } from '../files/png.js';
import { instant } from '../instant.js';
import type { NodeClass } from '../node-class.js';
import { read } from '../read.js';

/** Shows pictures as temporary files. */
export const previewImage: NodeClass = {
  definition: () => definition,
  execute: instant((inputs, context) => {
    const text = fileMetadata(context);
    const images = read.images(inputs, 'images').map((picture) =>
      context.save({
        bytes: encodePng(picture, { text }),
        extension: 'png',
        prefix: 'preview',
        type: 'temp',
      }),
    );
    return { values: [], ui: { images } };
  }),
};

const definition = define({
  name: 'PreviewImage',
  title: 'Preview Image',
  category: 'image',
  required: { images: ['IMAGE'] },
  hidden: { prompt: 'PROMPT', extra_pnginfo: 'EXTRA_PNGINFO' },
  outputNode: true,
});
