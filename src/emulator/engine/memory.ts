import { NodeFailure } from './node-class.js';

/** Pixels of a batch, or samples of a recording, that the emulator computes at most: about 100 MB of either. */
const mostValues = 2 ** 25;

/**
 * Fails a node as one that runs out of memory where its result would have more than 33,554,432 pixels or samples.
 *
 * The limits of the inputs are the engine's, and what they allow is far more than a test's process should hold.
 */
export const claimMemory = (values: number): void => {
  if (values > mostValues) throw new NodeFailure('OOMError', `Allocation of ${values} values failed.`);
};
