import { define } from '../define.js';
import { instant } from '../instant.js';
import type { NodeClass } from '../node-class.js';
import { read } from '../read.js';

/** Blocks everything downstream of it while the other branches go on; each direct consumer reports the message. */
export const blockBranch: NodeClass = {
  definition: () => definition,
  execute: instant((inputs) => {
    if (read.flag(inputs, 'block', true)) return { values: [], blocked: read.text(inputs, 'message') };
    return { values: [inputs['anything']] };
  }),
};

const definition = define({
  name: 'BlockBranch',
  title: 'Block Branch',
  category: 'testing',
  required: {
    anything: ['*', {}],
    message: ['STRING', { default: 'This branch is blocked.', multiline: false }],
  },
  optional: { block: ['BOOLEAN', { default: true, label_on: 'block', label_off: 'pass' }] },
  outputs: [{ type: '*', name: 'anything' }],
});
