import type { NodeClass } from './node-class.js';
import { blockBranch } from './nodes/block-branch.js';
import { failOnPurpose } from './nodes/fail-on-purpose.js';
import { previewText } from './nodes/preview-text.js';
import { slowNode } from './nodes/slow-node.js';

const all: readonly NodeClass[] = [blockBranch, failOnPurpose, previewText, slowNode];

/** Every kind of node that the emulator runs, by class type. */
export const nodeClasses: ReadonlyMap<string, NodeClass> = new Map(
  all.map((nodeClass) => [nodeClass.definition({ inputs: [] }).name, nodeClass]),
);
