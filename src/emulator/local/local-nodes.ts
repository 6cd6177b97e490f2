import { define } from '../engine/define.js';
import { type NodeClass, NodeFailure } from '../engine/node-class.js';

/** Outputs numbers outside JSON, which the local server writes as `NaN` and `Infinity`. */
export const oddNumbers: NodeClass = {
  definition: () => oddNumbersDefinition,
  execute: () => Promise.resolve({ values: [], ui: { numbers: [NaN, Infinity, -1.5] } }),
};

const oddNumbersDefinition = define({
  name: 'OddNumbers',
  title: 'Odd Numbers',
  description: 'Puts out NaN, infinity and -1.5.',
  category: 'testing',
  outputNode: true,
});

/** An output node without UI output: once cached, its `executed` has `output: null`. */
export const silentOutput: NodeClass = {
  definition: () => silentOutputDefinition,
  execute: () => Promise.resolve({ values: [] }),
};

const silentOutputDefinition = define({
  name: 'SilentOutput',
  title: 'Silent Output',
  description: 'Takes anything and shows nothing.',
  category: 'testing',
  required: { anything: ['*', {}] },
  outputNode: true,
});

/**
 * Ends the job as a cycle of expanded nodes does: by `execution_error` with `graph.DependencyCycleError`, and a record that calls the
 * run a success.
 */
export const cycleOnPurpose: NodeClass = {
  definition: () => cycleOnPurposeDefinition,
  execute: () => Promise.reject(new NodeFailure(dependencyCycle, 'Dependency cycle detected')),
};

/** The engine's exception of a run that came to a cycle. */
export const dependencyCycle = 'graph.DependencyCycleError';

const cycleOnPurposeDefinition = define({
  name: 'CycleOnPurpose',
  title: 'Cycle on Purpose',
  description: 'Ends the job as a cycle of its nodes.',
  category: 'testing',
  optional: { anything: ['*', {}] },
  outputNode: true,
});
