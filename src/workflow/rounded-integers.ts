import { isJsonObject } from '../protocol/json/json.js';
import type { Problem } from '../protocol/problem.js';
import type { UiWorkflow } from './convert/ui-workflow.js';
import type { Workflow } from '../protocol/workflow.js';

/** Warnings about inputs whose integer may have been rounded when the JSON was parsed. */
export const roundedInApi = (workflow: Workflow): readonly Problem[] =>
  Object.entries(workflow).flatMap(([nodeId, { inputs }]) =>
    Object.entries(inputs)
      .filter(([, value]) => isRounded(value))
      .map(([input, value]) => warning(value, { nodeId, input })),
  );

/** Likewise for the values of nodes in the editor's format, of the root and of subgraphs. */
export const roundedInUi = (ui: UiWorkflow): readonly Problem[] => {
  const { definitions } = ui;
  const subgraphs = isJsonObject(definitions) ? definitions['subgraphs'] : undefined;
  const graphs = [ui, ...(Array.isArray(subgraphs) ? (subgraphs as readonly unknown[]) : [])];
  return graphs.flatMap((graph) => {
    const nodes = isJsonObject(graph) ? graph['nodes'] : undefined;
    return Array.isArray(nodes) ? nodes.flatMap(roundedInNode) : [];
  });
};

const roundedInNode = (node: unknown): readonly Problem[] => {
  if (!isJsonObject(node)) return [];
  const { id, widgets_values: values } = node;
  if (typeof values !== 'object' || values === null) return [];
  const nodeId = typeof id === 'number' || typeof id === 'string' ? { nodeId: String(id) } : {};
  return Object.values(values)
    .filter(isRounded)
    .map((value) => warning(value, nodeId));
};

const isRounded = (value: unknown): boolean => Number.isInteger(value) && !Number.isSafeInteger(value);

const warning = (value: unknown, where: Pick<Problem, 'nodeId' | 'input'>): Problem => ({
  ...where,
  type: 'rounded_integer',
  severity: 'warning',
  message:
    `${String(value)} may not be the number of the file: JSON.parse rounds integers beyond 2^53. ` +
    'Pass the text, or what parseExactJson of promptwire/workflow reads, so that it stays exact.',
});
