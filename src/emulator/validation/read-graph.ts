import type { NodeClass } from '../engine/node-class.js';
import type { Switches } from '../switches.js';
import type { Graph, GraphNode } from '../scheduler/graph.js';
import { promptError, type PromptError } from './problem.js';
import { strOf } from '../engine/python-words.js';

/** What the structural checks of a `prompt` member made of it. */
export type ReadGraph = { readonly graph: Graph } | { readonly error: PromptError };

/** Reads a workflow in API format: every node, linked or not, must have a class that the service knows. */
export const readGraph = (
  prompt: unknown,
  nodeClasses: ReadonlyMap<string, NodeClass>,
  { missingNode }: Pick<Switches, 'missingNode'>,
): ReadGraph => {
  if (!isRecord(prompt)) return { error: promptError('invalid_prompt', 'The prompt is no object of nodes.') };
  if (isUiFormat(prompt)) {
    const message = 'The prompt is a workflow as the editor saves it; it takes the API format.';
    return { error: promptError('invalid_prompt', message) };
  }
  const graph = new Map<string, GraphNode>();
  for (const [nodeId, node] of Object.entries(prompt)) {
    const classType = isRecord(node) ? node['class_type'] : undefined;
    const title = titleOf(node);
    if (!isRecord(node) || typeof classType !== 'string' || !nodeClasses.has(classType)) {
      const lacksClass = !isRecord(node) || !('class_type' in node);
      const message = lacksClass
        ? 'Cannot execute because a node is missing the class_type property.'
        : `Cannot execute because node ${strOf(classType)} does not exist.`;
      const info = { node_id: nodeId, class_type: classType ?? null, node_title: title ?? null };
      const extraInfo = missingNode === 'missing_node_type' ? info : {};
      return { error: promptError(missingNode, message, `Node ID '#${nodeId}'`, extraInfo) };
    }
    graph.set(nodeId, { classType, inputs: isRecord(node['inputs']) ? node['inputs'] : undefined, title });
  }
  return { graph };
};

const titleOf = (node: unknown): string | undefined => {
  const meta = isRecord(node) ? node['_meta'] : undefined;
  return isRecord(meta) && typeof meta['title'] === 'string' ? meta['title'] : undefined;
};

const isUiFormat = (prompt: Readonly<Record<string, unknown>>): boolean =>
  Array.isArray(prompt['nodes']) && ('links' in prompt || 'last_node_id' in prompt);

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
