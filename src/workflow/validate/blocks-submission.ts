import type { Problem } from '../../core/protocol/problem.js';

/**
 * Says whether a problem stops a submission: an error that the definitions decide. An error that only the server can tell does
 * not, because its files may have changed since it described its classes.
 *
 * `validate: 'strict'` and `promptwire run` go by it.
 *
 * @example
 * ```ts
 * import { blocksSubmission, validateWorkflow, type NodeDefinitions } from 'promptwire/workflow';
 * import type { Workflow } from 'promptwire';
 *
 * const mayBeSubmitted = (workflow: Workflow, definitions: NodeDefinitions) =>
 *   !validateWorkflow(workflow, definitions).some(blocksSubmission);
 * ```
 */
export const blocksSubmission = ({ severity, serverOnly }: Problem): boolean =>
  severity === 'error' && serverOnly !== true;
