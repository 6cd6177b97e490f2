import type { Workflow } from './workflow.js';

/** Tells a link to a node of this workflow from a list that is a literal. */
export const isLink = (workflow: Workflow, [nodeId, slot, ...more]: readonly unknown[]): boolean =>
  more.length === 0 &&
  typeof nodeId === 'string' &&
  Object.hasOwn(workflow, nodeId) &&
  Number.isInteger(slot) &&
  (slot as number) >= 0;
