import { asLink, type GraphNode, type Link } from './graph.js';
import type { Subgraph } from '../engine/node-class.js';

/** Which node of the workflow a node belongs to: itself, or the one that a subgraph stands for. */
export interface Origin {
  /** The node that an editor shows. */
  readonly displayId: string;
  /** The node whose subgraph has it; null in the workflow itself. */
  readonly parentId: string | null;
  /** The node of the workflow. */
  readonly realId: string;
}

/** The origin of a node; one that no subgraph has is its own. */
export const originOf = (origins: ReadonlyMap<string, Origin>, nodeId: string): Origin =>
  origins.get(nodeId) ?? { displayId: nodeId, parentId: null, realId: nodeId };

/** A subgraph under the ids that its nodes have while the job runs: `5.0.0.1` is node `1` of what node `5` became. */
export const expandedNodes = (
  parentId: string,
  { nodes, outputs }: Subgraph,
): { readonly nodes: ReadonlyMap<string, GraphNode>; readonly outputs: readonly Link[] } => {
  const idOf = (id: string): string => (Object.hasOwn(nodes, id) ? `${parentId}.0.0.${id}` : id);
  const relinked = (value: unknown): unknown => {
    const link = asLink(value);
    return link ? [idOf(link[0]), link[1]] : value;
  };
  const entries = Object.entries(nodes).map(
    ([id, { class_type: classType, inputs }]): [string, GraphNode] => [
      idOf(id),
      {
        classType,
        inputs: Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name, relinked(value)])),
        title: undefined,
      },
    ],
  );
  return { nodes: new Map(entries), outputs: outputs.map(([id, slot]) => [idOf(id), slot]) };
};
