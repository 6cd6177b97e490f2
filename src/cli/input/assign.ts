import { setInput, type Workflow } from '../../node.js';
import { orThrow } from '../or-throw.js';
import type { Assignment } from './assignment.js';

/** Sets one input of a workflow; throws for a node that is not there. */
export const assign = (
  workflow: Workflow,
  { nodeId, input }: Pick<Assignment, 'nodeId' | 'input'>,
  value: unknown,
): Workflow => orThrow(setInput(workflow, nodeId, input, value));
