import { define } from '../define.js';
import { instant } from '../instant.js';
import type { NodeClass } from '../node-class.js';

/** Hands on whatever comes in. */
export const passthrough: NodeClass = {
  definition: () => definition,
  execute: instant((inputs) => ({ values: [inputs['anything']] })),
};

const definition = define({
  name: 'Passthrough',
  category: 'utils',
  style: 'new',
  required: { anything: ['*', { lazy: true }] },
  outputs: [{ type: '*' }],
});
