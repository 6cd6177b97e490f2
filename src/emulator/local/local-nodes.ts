import { define, instant, ofTheEmulator } from '../engine/define.js';
import { type NodeClass, NodeFailure, type Subgraph } from '../engine/node-class.js';
import { read } from '../engine/read.js';

/** Outputs numbers outside JSON, which the local server writes as `NaN` and `Infinity`. */
export const oddNumbers: NodeClass = {
  definition: () => oddNumbersDefinition,
  execute: () => Promise.resolve({ values: [], ui: { numbers: [NaN, Infinity, -1.5] } }),
};

const oddNumbersDefinition = define({
  name: 'OddNumbers',
  pythonModule: ofTheEmulator,
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
  pythonModule: ofTheEmulator,
  title: 'Silent Output',
  description: 'Takes anything and shows nothing.',
  category: 'testing',
  required: { anything: ['*', {}] },
  outputNode: true,
});

/** Becomes a chain of nodes that take steps; the last one may fail, and one of them may show a text. */
export const expandOnPurpose: NodeClass = {
  definition: () => expandOnPurposeDefinition,
  execute: instant((inputs) => {
    const count = read.number(inputs, 'nodes', 2);
    const depth = read.number(inputs, 'depth', 1);
    const steps = read.number(inputs, 'steps', 1);
    const chain = Array.from({ length: count }, (_, index): [string, Subgraph['nodes'][string]] => {
      const fail = index === count - 1 && depth === 1 && read.flag(inputs, 'fail', false);
      const given = index === 0 ? inputs['anything'] : [String(index), 0];
      const failing = { image: given, steps, fail, exception_type: 'ValueError', message: 'Failed inside.' };
      const deeper = { ...inputs, anything: given, depth: depth - 1 };
      return [
        String(index + 1),
        depth > 1 && index === count - 1
          ? { class_type: 'ExpandOnPurpose', inputs: deeper }
          : { class_type: 'FailOnPurpose', inputs: failing },
      ];
    });
    const shown: Subgraph['nodes'] = read.flag(inputs, 'show', false)
      ? { shown: { class_type: 'PreviewText', inputs: { source: 'shown inside' } } }
      : {};
    return {
      values: [],
      expand: { nodes: { ...Object.fromEntries(chain), ...shown }, outputs: [[String(count), 0]] },
    };
  }),
};

const expandOnPurposeDefinition = define({
  name: 'ExpandOnPurpose',
  pythonModule: ofTheEmulator,
  title: 'Expand on Purpose',
  description: 'Becomes a chain of nodes while the job runs, and returns its input.',
  category: 'testing',
  required: {
    anything: ['*', {}],
    nodes: ['INT', { default: 2, min: 1, max: 100 }],
    steps: ['INT', { default: 1, min: 0, max: 1000 }],
  },
  optional: {
    depth: ['INT', { default: 1, min: 1, max: 5, tooltip: 'How often the last node expands in turn.' }],
    show: ['BOOLEAN', { default: false }],
    fail: ['BOOLEAN', { default: false }],
  },
  outputs: [{ type: '*', name: 'anything' }],
});

/** Returns one of its two lazy inputs; what is behind the other one does not run. */
export const lazySwitch: NodeClass = {
  definition: () => lazySwitchDefinition,
  wants: (inputs) => [read.flag(inputs, 'switch', true) ? 'on_true' : 'on_false'],
  execute: instant((inputs) => ({
    values: [inputs[read.flag(inputs, 'switch', true) ? 'on_true' : 'on_false']],
  })),
};

const lazySwitchDefinition = define({
  name: 'LazySwitch',
  pythonModule: ofTheEmulator,
  title: 'Lazy Switch',
  description: 'Asks for one of its two inputs, and returns it.',
  category: 'testing',
  required: {
    switch: ['BOOLEAN', { default: true }],
    on_true: ['*', { lazy: true }],
    on_false: ['*', { lazy: true }],
  },
  outputs: [{ type: '*', name: 'chosen' }],
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
  pythonModule: ofTheEmulator,
  title: 'Cycle on Purpose',
  description: 'Ends the job as a cycle of its nodes.',
  category: 'testing',
  optional: { anything: ['*', {}] },
  outputNode: true,
});
