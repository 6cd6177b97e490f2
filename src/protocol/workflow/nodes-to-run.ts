import type { NodeErrors } from '../answers/node-errors.js';
import { isJsonObject } from '../is-json-object.js';
import { isLink } from './is-link.js';
import type { Workflow } from './workflow.js';

/**
 * Counts the nodes of a workflow that will run: those that lead to an output.
 *
 * Which nodes are outputs is known to the service alone. A node that gives nothing to any other node is taken for one, unless
 * it takes nothing either, or is among the outputs that the service dropped at submission. Where that leaves no output, all
 * nodes count.
 */
export const nodesToRun = (workflow: Workflow, nodeErrors: NodeErrors = {}): number => {
  const nodeIds = Object.keys(workflow);
  const sources = new Map(nodeIds.map((id) => [id, sourcesOf(workflow[id], workflow)]));
  const linked = new Set([...sources.values()].flat());
  const dropped = new Set(Object.values(nodeErrors).flatMap(({ dependentOutputs }) => dependentOutputs));
  const isOutput = (id: string): boolean =>
    !linked.has(id) && !dropped.has(id) && sources.get(id)?.length !== 0;
  const needed = new Set(nodeIds.filter(isOutput));
  // A set also goes through what is added meanwhile.
  for (const id of needed) for (const source of sources.get(id) ?? []) needed.add(source);
  return needed.size === 0 ? nodeIds.length : needed.size;
};

/** The nodes that a node takes something from; of what is no node there are none. */
const sourcesOf = (node: unknown, workflow: Workflow): readonly string[] =>
  isJsonObject(node) && isJsonObject(node['inputs'])
    ? Object.values(node['inputs'])
        .filter((value): value is readonly [string] => Array.isArray(value) && isLink(workflow, value))
        .map(([nodeId]) => nodeId)
    : [];
