import type { NodeClass, NodeContext, NodeResult } from './node-class.js';
import type { Inputs } from './read.js';

/** Makes the `execute` of a node that is done at once; what it throws becomes a rejection. */
export const instant =
  (make: (inputs: Inputs, context: NodeContext) => NodeResult): NodeClass['execute'] =>
  (inputs, context) =>
    new Promise((resolve) => {
      resolve(make(inputs, context));
    });
