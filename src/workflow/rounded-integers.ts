import { isJsonObject } from '../core/protocol/json/json.js';
import { isRounded, roundedInteger } from '../core/protocol/rounded-integers.js';
import type { Problem } from '../core/protocol/problem.js';
import type { UiWorkflow } from './convert/ui-workflow.js';

/** Warnings about values of nodes in the editor's format, of the root and of subgraphs, whose integer may have been rounded. */
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
    .map((value) => roundedInteger(value, nodeId));
};
