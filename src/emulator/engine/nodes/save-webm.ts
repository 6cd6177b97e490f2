import { define } from '../define.js';
import { encodeWebm } from '../codecs/frames.js';
import { fileMetadata } from './save.js';
import { oneOf } from './node-of.js';
import type { NodeClass } from '../node-class.js';
import { read } from '../read.js';

/** Saves pictures as a WebM video. */
export const saveWebm: NodeClass = {
  definition: () => definition,
  execute: async (inputs, context) => {
    const bytes = await encodeWebm(
      context,
      read.images(inputs, 'images'),
      {
        codec: read.text(inputs, 'codec') === 'av1' ? 'av1' : 'vp9',
        framesPerSecond: read.number(inputs, 'fps'),
        crf: read.number(inputs, 'crf'),
      },
      fileMetadata(context),
    );
    const prefix = read.text(inputs, 'filename_prefix', 'ComfyUI');
    const file = context.save({ bytes, extension: 'webm', prefix, type: 'output' });
    return { values: [], ui: { video: [file] } };
  },
};

const definition = define({
  ...{ name: 'SaveWEBM', pythonModule: 'comfy_extras.nodes_video', category: 'image/video', style: 'new' },
  required: {
    images: ['IMAGE', {}],
    filename_prefix: ['STRING', { default: 'ComfyUI', multiline: false }],
    codec: oneOf('vp9', 'av1'),
    fps: ['FLOAT', { default: 24, min: 0.01, max: 1000, step: 0.01 }],
    crf: [
      'FLOAT',
      {
        tooltip: 'The higher, the smaller the file and the worse the picture.',
        default: 32,
        min: 0,
        max: 63,
        step: 1,
      },
    ],
  },
  hidden: { prompt: 'PROMPT', extra_pnginfo: 'EXTRA_PNGINFO' },
  outputNode: true,
  flags: { experimental: true },
});
