import { define } from '../define.js';
import { instant } from '../instant.js';
import type { NodeClass, Value } from '../node-class.js';
import { read } from '../read.js';

/** Adds words of a style to a prompt. */
export const promptStyler: NodeClass = {
  definition: () => definition,
  execute: instant((inputs) => {
    const words = [read.text(inputs, 'text'), read.text(inputs, 'style'), ...listOf(inputs['extras'])];
    return { values: [words.filter((word) => word !== '' && word !== 'none').join(', ')] };
  }),
};

const listOf = (value: Value): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

const definition = define({
  name: 'PromptStyler',
  description: 'Adds words of a style to a prompt.',
  category: 'conditioning',
  style: 'new',
  required: {
    text: ['STRING', { multiline: true, default: '', placeholder: 'what the picture shows' }],
    style: [
      'COMBO',
      { options: ['none', 'at night', 'at sunset', 'in the morning mist', 'in a storm'], multiselect: false },
    ],
  },
  optional: {
    extras: ['COMBO', { options: ['mountains', 'forest', 'ocean', 'city'], multiselect: true, chip: true }],
  },
  outputs: [{ type: 'STRING', name: 'text', tooltip: 'The styled prompt.' }],
});
