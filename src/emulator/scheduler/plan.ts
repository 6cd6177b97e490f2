import { linksOf, type Graph } from './graph.js';

/** What a run has to do. */
export interface Plan {
  /** Nodes to run, each after everything that it needs. */
  readonly order: readonly string[];
  /** Nodes that an output needs and whose result is known, in the workflow's order. */
  readonly cached: readonly string[];
}

/** Walks back from the outputs, and no further than to a known result. */
export const planRun = (
  graph: Graph,
  targets: readonly string[],
  isKnown: (nodeId: string) => boolean,
): Plan => {
  const order: string[] = [];
  const planned = new Set<string>();
  const plan = (nodeId: string): void => {
    const node = graph.get(nodeId);
    if (!node || planned.has(nodeId) || isKnown(nodeId)) return;
    planned.add(nodeId);
    for (const [upstream] of linksOf(node)) plan(upstream);
    order.push(nodeId);
  };
  targets.forEach(plan);
  const needed = neededBy(graph, targets);
  return { order, cached: [...graph.keys()].filter((nodeId) => needed.has(nodeId) && isKnown(nodeId)) };
};

const neededBy = (graph: Graph, targets: readonly string[]): ReadonlySet<string> => {
  const needed = new Set<string>();
  const need = (nodeId: string): void => {
    const node = graph.get(nodeId);
    if (!node || needed.has(nodeId)) return;
    needed.add(nodeId);
    for (const [upstream] of linksOf(node)) need(upstream);
  };
  targets.forEach(need);
  return needed;
};
