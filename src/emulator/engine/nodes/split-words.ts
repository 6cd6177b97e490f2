import { define } from '../define.js';
import { instant } from '../instant.js';
import type { NodeClass } from '../node-class.js';
import { read } from '../read.js';

/** Splits a text into its words, as a list. */
export const splitWords: NodeClass = {
  definition: () => definition,
  execute: instant((inputs) => ({ values: [read.text(inputs, 'text').split(/\s+/).filter(Boolean)] })),
};

const definition = define({
  name: 'SplitWords',
  title: 'Split Words',
  category: 'utils',
  required: { text: ['STRING', { default: '', forceInput: true }] },
  outputs: [{ type: 'STRING', name: 'words', isList: true }],
  flags: { dev_only: true },
});
