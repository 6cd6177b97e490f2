import { define } from '../define.js';
import { instant } from '../instant.js';
import type { NodeClass } from '../node-class.js';
import { read } from '../read.js';
import type { Conditioning } from '../values.js';

/** Turns a prompt's text into conditioning for a sampler. */
export const clipTextEncode: NodeClass = {
  definition: () => definition,
  execute: instant((inputs) => {
    read.part(inputs, 'clip', 'CLIP');
    const conditioning: Conditioning = { kind: 'CONDITIONING', text: read.text(inputs, 'text') };
    return { values: [conditioning] };
  }),
};

const definition = define({
  name: 'CLIPTextEncode',
  title: 'CLIP Text Encode (Prompt)',
  description: 'Encodes a text that guides the sampler.',
  category: 'conditioning',
  required: {
    text: ['STRING', { multiline: true, dynamicPrompts: true, tooltip: 'The text to be encoded.' }],
    clip: ['CLIP', { tooltip: 'The text encoder of the checkpoint.' }],
  },
  outputs: [{ type: 'CONDITIONING', tooltip: 'Guides the sampler.' }],
});
