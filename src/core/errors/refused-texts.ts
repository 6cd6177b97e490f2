import type { ServiceError } from './errors.js';
import type { Workflow } from '../protocol/workflow.js';

/** The inputs of a workflow that are texts, as names of files are. */
export const textsIn = (nodes: readonly Workflow[string][]): readonly string[] =>
  nodes.flatMap(({ inputs }) => Object.values(inputs).filter((value) => typeof value === 'string'));

/** The texts of the nodes at which a service refused a workflow: the names of files that it lacks are among them. */
export const refusedTexts = (refusal: ServiceError, workflow: Workflow): readonly string[] => {
  if (refusal._tag !== 'BadRequest') return [];
  const refused = Object.entries(workflow).filter(([nodeId]) => Object.hasOwn(refusal.nodeErrors, nodeId));
  return [...new Set(textsIn(refused.map(([, node]) => node)))];
};
