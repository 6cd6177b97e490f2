import { define, instant, type NodeDescription } from '../define.js';
import type { Inputs } from '../read.js';
import type { InputSpec, NodeClass, NodeContext, Value } from '../node-class.js';

/** A class that makes its values of its inputs at once. */
export const nodeOf = (
  description: NodeDescription,
  make: (inputs: Inputs, context: NodeContext) => readonly Value[],
): NodeClass => {
  const definition = define(description);
  return {
    definition: () => definition,
    execute: instant((inputs, context) => ({ values: make(inputs, context) })),
  };
};

/** A whole number of pixels up to the engine's largest edge. */
export const pixels = (usual: number, least = 0, step = 1): InputSpec => [
  'INT',
  { default: usual, min: least, max: 16_384, step },
];

/** How many there are of a batch. */
export const batchSize: InputSpec = ['INT', { default: 1, min: 1, max: 4096 }];

/** A share from 0 to 1. */
export const share = (usual: number): InputSpec => ['FLOAT', { default: usual, min: 0, max: 1, step: 0.01 }];

/** One of some words, as classes of the newer style list them. */
export const oneOf = (...options: readonly string[]): InputSpec => ['COMBO', { multiselect: false, options }];
