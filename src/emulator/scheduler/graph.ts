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
