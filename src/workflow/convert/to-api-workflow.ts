import { apiId, duplicateId, reportOn } from './context.js';
import type { Conversion, ConversionOptions, NodeOrigin } from './conversion.js';
import type { UiWorkflow } from './ui-workflow.js';
import { convertNode } from './convert-node.js';
import { error } from '../validate/finding.js';
import { flatten } from './flatten.js';
import { newContext } from './new-context.js';
import type { NodeDefinitions } from '../definitions.js';
import { objectOf } from '../values.js';
import type { Problem } from '../../core/protocol/problem.js';
import { readUiGraph } from './read-ui-graph.js';
import { done, type Steps } from '../../core/protocol/steps.js';
import type { WorkflowNode } from '../../core/protocol/workflow.js';

/**
 * Converts a workflow as the editor saves it to the API format, which a submission takes.
 *
 * It does what the editor of today does when it queues: see docs/guide/workflows.md. It changes nothing that it is given, never
 * throws, and drops nothing silently: what it can't convert is a problem of severity `error`, and then there is no `workflow`.
 *
 * @param nodeDefinitions - The service's `object_info` (`client.rest.objectInfo()`). Without it, inputs are named by what the
 * file holds; a problem says where, and a file that holds too little is refused.
 *
 * @example
 * ```ts
 * import { toApiWorkflow, type NodeDefinitions, type UiWorkflow } from 'promptwire/workflow';
 *
 * const convert = (file: UiWorkflow, definitions: NodeDefinitions) => {
 *   const { workflow, problems } = toApiWorkflow(file, definitions);
 *   for (const { severity, message } of problems) console.warn(severity, message);
 *   return workflow;
 * };
 * ```
 */
export const toApiWorkflow = (
  ui: UiWorkflow,
  nodeDefinitions?: NodeDefinitions,
  options: ConversionOptions = {},
): Conversion => done(converting(ui, nodeDefinitions, options));

/** The steps of {@link toApiWorkflow}. */
export function* converting(
  ui: UiWorkflow,
  nodeDefinitions: NodeDefinitions | undefined,
  options: ConversionOptions,
): Steps<Conversion> {
  const problems: Problem[] = [];
  const report = (problem: Problem) => void problems.push(problem);
  const nodes = new Map<string, WorkflowNode>();
  const origins = new Map<string, NodeOrigin>();
  const raw = objectOf(ui);
  if (!Array.isArray(raw['nodes']))
    report(error('not_a_ui_workflow', 'This is no workflow of the editor: it has no list "nodes".'));
  const context = newContext(raw, nodeDefinitions, options, report);
  const graph = readUiGraph(context, raw);
  yield;
  for (const { scope, node } of yield* flatten(context, graph)) {
    yield;
    const id = apiId(scope, node);
    if (nodes.has(id)) reportOn(scope, node, duplicateId());
    nodes.set(id, convertNode(scope, node));
    origins.set(id, { id: node.id, path: scope.path });
  }
  const isRefused = problems.some(({ severity }) => severity === 'error');
  return {
    ...(!isRefused && { workflow: Object.fromEntries(nodes) }),
    nodeMap: Object.fromEntries(origins),
    problems,
  };
}
