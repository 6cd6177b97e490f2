import { isJsonObject } from '../is-json-object.js';
import { noOutputs, type NodeOutputs, type Outputs } from './outputs.js';

/**
 * Takes the outputs object of a history record as what it is: every node whose entry is an object, with all its members
 * as sent; anything else is left out. Never fails.
 *
 * The result has no prototype, so that a node may have any id (docs/protocol.md, chapter 8).
 */
export const readOutputs = (value: unknown): Outputs => {
  if (!isJsonObject(value)) return noOutputs;
  const outputs = Object.create(null) as Record<string, NodeOutputs>;
  for (const [nodeId, node] of Object.entries(value)) {
    if (isJsonObject(node)) outputs[nodeId] = node;
  }
  return outputs;
};
