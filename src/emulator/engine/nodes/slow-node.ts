import { define } from '../define.js';
import type { NodeClass } from '../node-class.js';
import { read } from '../read.js';

/** Takes a chosen number of steps and hands on what came in, or the number of steps. */
export const slowNode: NodeClass = {
  definition: () => definition,
  execute: async (inputs, context) => {
    const steps = read.number(inputs, 'steps');
    for (let step = 1; step <= steps; step += 1) await context.step(step, steps);
    return { values: [inputs['anything'] ?? steps], ui: { text: [`${steps} steps`] } };
  },
};

const definition = define({
  name: 'SlowNode',
  title: 'Slow Node',
  description: 'Takes its time: one step after the other, without a preview.',
  category: 'testing',
  required: { steps: ['INT', { default: 10, min: 0, max: 100_000, step: 1 }] },
  optional: { anything: ['*', {}] },
  outputs: [{ type: '*', name: 'anything' }],
  outputNode: true,
});
