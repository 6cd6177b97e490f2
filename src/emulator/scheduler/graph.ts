import { isList } from '../engine/values.js';
import type { NodeResult } from '../engine/node-class.js';

/** One node of an accepted workflow. */
export interface GraphNode {
  readonly classType: string;
  /** Input name → literal or link; absent if the workflow forgot it, which validation refuses. */
  readonly inputs: Readonly<Record<string, unknown>> | undefined;
  readonly title: string | undefined;
}

/** Node id → node, in the order in which the workflow names them; a map, since ids come from outside. */
export type Graph = ReadonlyMap<string, GraphNode>;

/** A reference to an output slot of another node. */
export type Link = readonly [nodeId: string, slot: number];

/** Reads an input value as a link; undefined for a literal. */
export const asLink = (value: unknown): Link | undefined =>
  Array.isArray(value) && value.length === 2 && typeof value[0] === 'string' && typeof value[1] === 'number'
    ? (value as unknown as Link)
    : undefined;

/** The nodes that a node's inputs come from. */
export const linksOf = (node: GraphNode): readonly Link[] =>
  Object.values(node.inputs ?? {}).flatMap((value) => {
    const link = asLink(value);
    return link ? [link] : [];
  });

/** Input name → value, as a node gets it. */
export type Inputs = Readonly<Record<string, unknown>>;

/** Replaces links by the results of the other nodes, and unwraps literal arrays from `__value__`. */
export const resolveInputs = (node: GraphNode, known: ReadonlyMap<string, NodeResult>): Inputs =>
  Object.fromEntries(
    Object.entries(node.inputs ?? {}).map(([name, value]) => {
      const link = asLink(value);
      return [name, link ? known.get(link[0])?.values[link[1]] : unwrap(value)];
    }),
  );

/** What blocks a node: the message of a blocked input, null if a node upstream reported it, undefined if nothing does. */
export const blockOf = (node: GraphNode, known: ReadonlyMap<string, NodeResult>): string | null | undefined =>
  linksOf(node)
    .map(([upstream]) => known.get(upstream)?.blocked)
    .find((blocked) => blocked !== undefined);

/** Inputs as `execution_error.current_inputs` lists them: name → list of scalars, or of the type name of other values. */
export const describeInputs = (inputs: Inputs): Readonly<Record<string, readonly unknown[]>> =>
  Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => [
      name,
      (isList(value) ? value.items : [value]).map(describeValue),
    ]),
  );

const unwrap = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && '__value__' in value ? value.__value__ : value;

const describeValue = (value: unknown): unknown =>
  value === null || ['number', 'bigint', 'boolean', 'string'].includes(typeof value)
    ? value
    : `<${value instanceof Object ? value.constructor.name : typeof value}>`;

/**
 * Plans the nodes to run, each after its dependencies: those that the outputs need, up to known results.
 *
 * Of the ready nodes, an output node runs first, then a direct input of an output node, then an input of that; otherwise
 * the first one found. So a branch reaches its preview before the next branch begins.
 */
export const planRun = (
  graph: Graph,
  targets: readonly string[],
  isKnown: (nodeId: string) => boolean,
  isOutput: (nodeId: string) => boolean,
): readonly string[] => {
  const wanted = nodesBehind(graph, targets, isKnown);
  const waitsFor = new Map([...wanted].map((nodeId) => [nodeId, new Set(upstreamOf(graph, nodeId, wanted))]));
  const consumers = new Map<string, string[]>();
  for (const [nodeId, upstream] of waitsFor) for (const one of upstream) add(consumers, one, nodeId);

  const feedsOutput = (nodeId: string, steps: number): boolean =>
    steps === 0
      ? isOutput(nodeId)
      : (consumers.get(nodeId) ?? []).some((consumer) => feedsOutput(consumer, steps - 1));
  const order: string[] = [];
  while (waitsFor.size > 0) {
    const ready = [...waitsFor].filter(([, upstream]) => upstream.size === 0).map(([nodeId]) => nodeId);
    const next =
      [0, 1, 2].flatMap((steps) => ready.filter((nodeId) => feedsOutput(nodeId, steps)))[0] ?? ready[0];
    // Only a cycle leaves nodes that never become ready, and validation lets none through.
    if (next === undefined) break;
    order.push(next);
    waitsFor.delete(next);
    for (const consumer of consumers.get(next) ?? []) waitsFor.get(consumer)?.delete(next);
  }
  return order;
};

/** Nodes that an output needs and whose result is known, in the workflow's order. */
export const cachedBehind = (
  graph: Graph,
  targets: readonly string[],
  isKnown: (nodeId: string) => boolean,
): readonly string[] => {
  const needed = nodesBehind(graph, targets);
  return [...graph.keys()].filter((nodeId) => needed.has(nodeId) && isKnown(nodeId));
};

/** The targets and what they need, in the order in which the walk finds them: the last link of a node first. */
export const nodesBehind = (
  graph: Graph,
  targets: readonly string[],
  stopsAt: (nodeId: string) => boolean = () => false,
): ReadonlySet<string> => {
  const found = new Set<string>();
  for (const target of targets) {
    const open = [target];
    for (let nodeId = open.pop(); nodeId !== undefined; nodeId = open.pop()) {
      const node = graph.get(nodeId);
      if (!node || found.has(nodeId) || stopsAt(nodeId)) continue;
      found.add(nodeId);
      for (const [upstream] of linksOf(node)) open.push(upstream);
    }
  }
  return found;
};

const upstreamOf = (graph: Graph, nodeId: string, wanted: ReadonlySet<string>): readonly string[] => {
  const node = graph.get(nodeId);
  return node === undefined
    ? []
    : linksOf(node).flatMap(([upstream]) => (wanted.has(upstream) ? [upstream] : []));
};

const add = (lists: Map<string, string[]>, key: string, value: string): void => {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
};
