import { define } from '../define.js';
import { encodePng } from '../files/png.js';
import type { NodeClass } from '../node-class.js';
import { read } from '../read.js';

/** Sends pictures as PNG over the socket, in full size as previews are sent, and keeps none; runs in every job. */
export const saveImageWebsocket: NodeClass = {
  definition: () => definition,
  always: true,
  execute: async (inputs, context) => {
    const pictures = read.images(inputs, 'images');
    for (const [index, picture] of pictures.entries()) {
      await context.step(index, pictures.length, () => ({
        mediaType: 'image/png',
        bytes: encodePng(picture),
      }));
    }
    return { values: [] };
  },
};

const definition = define({
  name: 'SaveImageWebsocket',
  category: 'api/image',
  pythonModule: 'custom_nodes.websocket_image_save',
  required: { images: ['IMAGE'] },
  outputNode: true,
});
