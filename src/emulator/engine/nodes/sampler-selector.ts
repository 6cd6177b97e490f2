import { define } from '../define.js';
import { instant } from '../instant.js';
import type { NodeClass } from '../node-class.js';
import { read } from '../read.js';
import { samplerNames, schedulerNames } from '../samplers.js';

/** Chooses sampler and scheduler in one place, for several samplers. */
export const samplerSelector: NodeClass = {
  definition: () => definition,
  execute: instant((inputs) => ({
    values: [read.text(inputs, 'sampler_name'), read.text(inputs, 'scheduler')],
  })),
};

const definition = define({
  name: 'SamplerSelector',
  title: 'Sampler Selector',
  category: 'sampling',
  pythonModule: 'custom_nodes.sampler_selector',
  required: { sampler_name: [samplerNames], scheduler: [schedulerNames] },
  outputs: [
    { type: samplerNames, name: 'sampler_name' },
    { type: schedulerNames, name: 'scheduler' },
  ],
});
