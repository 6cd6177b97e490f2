import { define } from '../../engine/define.js';
import type { NodeClass } from '../../engine/node-class.js';

/** Shows numbers that JSON does not know, which the local server writes as bare words. */
export const oddNumbers: NodeClass = {
  definition: () => definition,
  execute: () => Promise.resolve({ values: [], ui: { numbers: [NaN, Infinity, -1.5] } }),
};

const definition = define({
  name: 'OddNumbers',
  title: 'Odd Numbers',
  description: 'Puts out NaN, infinity and -1.5.',
  category: 'testing',
  outputNode: true,
});
