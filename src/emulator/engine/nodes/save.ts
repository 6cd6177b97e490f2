import { stringifyExact } from '../../exact-json.js';
import { define, instant } from '../define.js';
import { encodePng } from '../files/png.js';
import { encodeFlac } from '../files/flac.js';
import { greyOf } from '../mask-shapes.js';
import type { ImageBatch } from '../values.js';
import type { NodeClass, NodeContext, NodeResult } from '../node-class.js';
import { read } from '../read.js';

/** Saves pictures as PNG files that carry the workflow they come from. */
export const saveImage: NodeClass = {
  definition: () => saveImageDefinition,
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

const saveImageDefinition = define({
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

/** Sends pictures as PNG over the socket, in full size as previews are sent, and keeps none; runs in every job. */
export const saveImageWebsocket: NodeClass = {
  definition: () => saveImageWebsocketDefinition,
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

const saveImageWebsocketDefinition = define({
  name: 'SaveImageWebsocket',
  category: 'api/image',
  pythonModule: 'custom_nodes.websocket_image_save',
  required: { images: ['IMAGE'] },
  outputNode: true,
});

/** Keeps pictures as temporary files, and shows them. */
const previewed = (pictures: ImageBatch, context: NodeContext): NodeResult => {
  const text = fileMetadata(context);
  const images = pictures.map((picture) =>
    context.save({
      bytes: encodePng(picture, { text }),
      extension: 'png',
      prefix: 'preview',
      type: 'temp',
    }),
  );
  return { values: [], ui: { images } };
};

/** Shows pictures as temporary files. */
export const previewImage: NodeClass = {
  definition: () => previewImageDefinition,
  execute: instant((inputs, context) => previewed(read.images(inputs, 'images'), context)),
};

/** Shows a mask as a temporary file, white where it holds. */
export const maskPreview: NodeClass = {
  definition: () => maskPreviewDefinition,
  execute: instant((inputs, context) => previewed([greyOf(read.mask(inputs, 'mask'))], context)),
};

const maskPreviewDefinition = define({
  name: 'MaskPreview',
  pythonModule: 'comfy_extras.nodes_mask',
  description: 'Shows the mask as a picture of greys.',
  category: 'mask',
  required: { mask: ['MASK'] },
  hidden: { prompt: 'PROMPT', extra_pnginfo: 'EXTRA_PNGINFO' },
  outputNode: true,
});

const previewImageDefinition = define({
  name: 'PreviewImage',
  title: 'Preview Image',
  category: 'image',
  required: { images: ['IMAGE'] },
  hidden: { prompt: 'PROMPT', extra_pnginfo: 'EXTRA_PNGINFO' },
  outputNode: true,
});

/** Saves a sound as a FLAC file, with the graph in its comments. */
export const saveAudio: NodeClass = {
  definition: () => saveAudioDefinition,
  execute: instant((inputs, context) => {
    const bytes = encodeFlac(read.audio(inputs, 'audio'), fileMetadata(context));
    const prefix = read.text(inputs, 'filename_prefix', 'audio/ComfyUI');
    return {
      values: [],
      ui: { audio: [context.save({ bytes, extension: 'flac', prefix, type: 'output' })] },
    };
  }),
};

const saveAudioDefinition = define({
  name: 'SaveAudio',
  pythonModule: 'comfy_extras.nodes_audio',
  title: 'Save Audio (FLAC)',
  category: 'audio',
  required: { audio: ['AUDIO'], filename_prefix: ['STRING', { default: 'audio/ComfyUI' }] },
  hidden: { prompt: 'PROMPT', extra_pnginfo: 'EXTRA_PNGINFO' },
  outputNode: true,
});

/**
 * The texts that a saved file carries: the graph as `prompt`, and everything of `extra_pnginfo`, in ASCII JSON.
 *
 * A name that no PNG chunk can have (1 to 79 printable characters) is left out, as is a second `prompt`.
 */
export const fileMetadata = ({ prompt, extraPngInfo }: NodeContext): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries({ ...extraPngInfo, prompt })
      .filter(([key]) => /^[\x20-\x7e]{1,79}$/.test(key))
      .map(([key, value]) => [key, asciiJson(value)]),
  );

const asciiJson = (value: unknown): string =>
  ((stringifyExact(value) as string | undefined) ?? 'null').replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
