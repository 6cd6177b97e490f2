import { define } from '../define.js';
import { NodeFailure, type NodeClass } from '../node-class.js';
import { read } from '../read.js';

const exceptionTypes = [
  'ValidationError',
  'ModelDownloadError',
  'ImageDownloadError',
  'OOMError',
  'InsufficientFundsError',
  'InactiveSubscriptionError',
  'ValueError',
  'RuntimeError',
  'torch.OutOfMemoryError',
] as const;

/** Ends its job with a chosen exception type and message, after a chosen number of steps. */
export const failOnPurpose: NodeClass = {
  definition: () => definition,
  execute: async (inputs, context) => {
    const steps = read.number(inputs, 'steps', 0);
    for (let step = 1; step <= steps; step += 1) await context.step(step, steps);
    if (!read.flag(inputs, 'fail', true)) return { values: [inputs['image']] };
    throw new NodeFailure(read.text(inputs, 'exception_type'), read.text(inputs, 'message'));
  },
};

const definition = define({
  name: 'FailOnPurpose',
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
