import { define } from '../../engine/define.js';
import type { NodeClass } from '../../engine/node-class.js';

/** An output node that shows nothing: once cached, `executed` tells `output: null` of it. */
export const silentOutput: NodeClass = {
  definition: () => definition,
  execute: () => Promise.resolve({ values: [] }),
};

const definition = define({
  name: 'SilentOutput',
  title: 'Silent Output',
  description: 'Takes anything and shows nothing.',
  category: 'testing',
  required: { anything: ['*', {}] },
  outputNode: true,
});
