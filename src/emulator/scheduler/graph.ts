import type { NodeResult } from '../engine/node-class.js';

/** One node of an accepted workflow. */
export interface GraphNode {
  readonly classType: string;
  /** Input name → literal or link; absent where the workflow forgot it, which validation refuses. */
  readonly inputs: Readonly<Record<string, unknown>> | undefined;
  readonly title: string | undefined;
}

/** Node id → node, in the order in which the workflow names them; a map, since ids come from outside. */
export type Graph = ReadonlyMap<string, GraphNode>;

/** A reference to an output slot of another node. */
export type Link = readonly [nodeId: string, slot: number];

/** Reads an input value as a link; anything that is not an array is a literal. */
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

/** Replaces links by what the other nodes made, and takes literal arrays out of their `__value__` wrapper. */
export const resolveInputs = (node: GraphNode, known: ReadonlyMap<string, NodeResult>): Inputs =>
  Object.fromEntries(
    Object.entries(node.inputs ?? {}).map(([name, value]) => {
      const link = asLink(value);
      return [name, link ? known.get(link[0])?.values[link[1]] : unwrap(value)];
    }),
  );

/** What blocks a node: the message of a blocked input, null where a consumer further up reported it, undefined where it is not blocked. */
export const blockOf = (node: GraphNode, known: ReadonlyMap<string, NodeResult>): string | null | undefined =>
  linksOf(node)
    .map(([upstream]) => known.get(upstream)?.blocked)
    .find((blocked) => blocked !== undefined);

/** Inputs as `execution_error.current_inputs` lists them: name → list of scalars, or of a word for anything larger. */
export const describeInputs = (inputs: Inputs): Readonly<Record<string, readonly unknown[]>> =>
  Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name, [describeValue(value)]]));

const unwrap = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && '__value__' in value ? value.__value__ : value;

const describeValue = (value: unknown): unknown =>
  value === null || ['number', 'boolean', 'string'].includes(typeof value)
    ? value
    : `<${value instanceof Object ? value.constructor.name : typeof value}>`;
