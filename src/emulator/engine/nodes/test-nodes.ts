import { define, instant, ofTheEmulator } from '../define.js';
import { type NodeClass, NodeFailure } from '../node-class.js';
import { read } from '../read.js';

/** Returns its input. */
export const passthrough: NodeClass = {
  definition: () => passthroughDefinition,
  execute: instant((inputs) => ({ values: [inputs['anything']] })),
};

const passthroughDefinition = define({
  name: 'Passthrough',
  pythonModule: ofTheEmulator,
  category: 'utils',
  style: 'new',
  required: { anything: ['*', { lazy: true }] },
  outputs: [{ type: '*' }],
});

/** Takes a chosen number of steps and returns its input, or the number of steps. */
export const slowNode: NodeClass = {
  definition: () => slowNodeDefinition,
  execute: async (inputs, context) => {
    const steps = read.number(inputs, 'steps');
    for (let step = 1; step <= steps; step += 1) await context.step(step, steps);
    return { values: [inputs['anything'] ?? steps], ui: { text: [`${steps} steps`] } };
  },
};

const slowNodeDefinition = define({
  name: 'SlowNode',
  pythonModule: ofTheEmulator,
  title: 'Slow Node',
  description: 'Takes its time: one step after the other, without a preview.',
  category: 'testing',
  required: { steps: ['INT', { default: 10, min: 0, max: 100_000, step: 1 }] },
  optional: { anything: ['*', {}] },
  outputs: [{ type: '*', name: 'anything' }],
  outputNode: true,
});

const exceptionTypes = [
  'ValidationError',
  'ModelDownloadError',
  'ImageDownloadError',
  'OOMError',
  'InsufficientFundsError',
  'InactiveSubscriptionError',
  'ServiceError',
  'PanicError',
  'DispatcherError',
  'ValueError',
  'RuntimeError',
  'torch.OutOfMemoryError',
] as const;

/** Ends its job with a chosen exception type and message, after a chosen number of steps. */
export const failOnPurpose: NodeClass = {
  definition: () => failOnPurposeDefinition,
  execute: async (inputs, context) => {
    const steps = read.number(inputs, 'steps', 0);
    for (let step = 1; step <= steps; step += 1) await context.step(step, steps);
    if (!read.flag(inputs, 'fail', true)) return { values: [inputs['image']] };
    throw new NodeFailure(read.text(inputs, 'exception_type'), read.text(inputs, 'message'));
  },
};

const failOnPurposeDefinition = define({
  name: 'FailOnPurpose',
  pythonModule: ofTheEmulator,
  title: 'Fail on Purpose',
  description: 'Ends the job with the exception type of your choice, once everything above it has run.',
  category: 'testing',
  required: {
    exception_type: [exceptionTypes, { default: 'ValueError' }],
    message: ['STRING', { default: 'This node fails on purpose.', multiline: true }],
  },
  optional: {
    image: ['IMAGE'],
    steps: ['INT', { default: 0, min: 0, max: 1000 }],
    fail: ['BOOLEAN', { default: true }],
  },
  outputs: [{ type: 'IMAGE' }],
  outputNode: true,
});

/** Blocks the nodes downstream while other branches run; each direct consumer reports the message. */
export const blockBranch: NodeClass = {
  definition: () => blockBranchDefinition,
  execute: instant((inputs) => {
    if (read.flag(inputs, 'block', true)) return { values: [], blocked: read.text(inputs, 'message') };
    return { values: [inputs['anything']] };
  }),
};

const blockBranchDefinition = define({
  name: 'BlockBranch',
  pythonModule: ofTheEmulator,
  title: 'Block Branch',
  category: 'testing',
  required: {
    anything: ['*', {}],
    message: ['STRING', { default: 'This branch is blocked.', multiline: false }],
  },
  optional: { block: ['BOOLEAN', { default: true, label_on: 'block', label_off: 'pass' }] },
  outputs: [{ type: '*', name: 'anything' }],
});
