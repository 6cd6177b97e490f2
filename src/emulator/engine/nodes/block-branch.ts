import { define } from '../define.js';
import { instant } from '../instant.js';
import { BranchBlocked, type NodeClass } from '../node-class.js';
import { read } from '../read.js';

/** Blocks everything downstream of it with a message, while the other branches of the job go on. */
export const blockBranch: NodeClass = {
  definition: () => definition,
  execute: instant((inputs) => {
    if (read.flag(inputs, 'block', true)) throw new BranchBlocked(read.text(inputs, 'message'));
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
