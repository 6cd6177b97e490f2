import { define } from '../define.js';
import { encodeWav } from '../files/wav.js';
import { instant } from '../instant.js';
import type { NodeClass } from '../node-class.js';
import { read } from '../read.js';

/** Saves a sound as a WAV file. */
export const saveAudio: NodeClass = {
  definition: () => definition,
  execute: instant((inputs, context) => {
    const bytes = encodeWav(read.audio(inputs, 'audio'));
    const prefix = read.text(inputs, 'filename_prefix', 'audio/ComfyUI');
    return { values: [], ui: { audio: [context.save({ bytes, extension: 'wav', prefix, type: 'output' })] } };
  }),
};

const definition = define({
  name: 'SaveAudio',
  title: 'Save Audio (WAV)',
  category: 'audio',
  required: { audio: ['AUDIO'], filename_prefix: ['STRING', { default: 'audio/ComfyUI' }] },
  hidden: { prompt: 'PROMPT', extra_pnginfo: 'EXTRA_PNGINFO' },
  outputNode: true,
});
