import { currentType, kindOfType, type NodeKind } from './node-kind.js';
import { error } from '../validate/finding.js';
import { idOf, type Json, listOf, objectOf } from './values.js';
import type { Problem } from '../problem.js';

/** A node of the editor. */
export interface UiNode {
  readonly id: string;
  readonly type: string;
  readonly kind: NodeKind;
  readonly isMuted: boolean;
  readonly isBypassed: boolean;
  /** As in the file. */
  readonly raw: Json;
}

/** A link; its slots are numbers, its origin or target the boundary of a subgraph where the id is -10 or -20. */
export interface UiLink {
  readonly originId: string;
  readonly originSlot: number;
  readonly targetId: string;
  readonly targetSlot: number;
}

/** An input or output of a subgraph. */
export interface BoundarySlot {
  readonly name: string;
  readonly type: string;
}

/** One graph: the root, the definition of a subgraph, or a group node's. */
export interface UiGraph {
  /** What the graph is an instance of, to find recursion; empty for the root. */
  readonly definitionId: string;
  readonly nodes: readonly UiNode[];
  readonly nodeOf: ReadonlyMap<string, UiNode>;
  readonly linkOf: ReadonlyMap<string, UiLink>;
  /** The link into each output of a subgraph, by its slot. */
  readonly outputLinkOf: ReadonlyMap<number, UiLink>;
  /** Set nodes by their name. */
  readonly setNodeOf: ReadonlyMap<unknown, UiNode>;
  readonly inputs: readonly BoundarySlot[];
  readonly outputs: readonly BoundarySlot[];
}

export const inputBoundary = '-10';
export const outputBoundary = '-20';

/** Reads the nodes and links of a graph; what is no node is an error, as it can't be converted. */
export const readUiGraph = (
  raw: Json,
  definitionId: string,
  isSubgraph: (type: string) => boolean,
  report: (problem: Problem) => void,
): UiGraph => {
  const nodeOf = new Map<string, UiNode>();
  for (const item of listOf(raw['nodes'])) {
    const node = readNode(item, isSubgraph);
    if (node === undefined) {
      report(error('invalid_node', 'An entry of "nodes" has no id or no type.'));
    } else if (nodeOf.has(node.id)) {
      const message = `Two nodes of one graph have the id ${node.id}.`;
      report({ nodeId: node.id, ...error('duplicate_node_id', message) });
    } else {
      nodeOf.set(node.id, node);
    }
  }
  return uiGraph({
    definitionId,
    nodeOf,
    linkOf: readLinks(raw['links']),
    inputs: listOf(raw['inputs']).map(readBoundarySlot),
    outputs: listOf(raw['outputs']).map(readBoundarySlot),
  });
};

/** Completes a graph by what the resolving of links looks up. */
export const uiGraph = (parts: Omit<UiGraph, 'nodes' | 'outputLinkOf' | 'setNodeOf'>): UiGraph => {
  const outputLinkOf = new Map<number, UiLink>();
  if (parts.definitionId !== '') {
    for (const link of parts.linkOf.values()) {
      if (link.targetId === outputBoundary) outputLinkOf.set(link.targetSlot, link);
    }
  }
  const setNodeOf = new Map<unknown, UiNode>();
  const nodes = [...parts.nodeOf.values()];
  for (const node of nodes) {
    const name = node.kind === 'set' ? listOf(node.raw['widgets_values'])[0] : undefined;
    if (name !== undefined && !setNodeOf.has(name)) setNodeOf.set(name, node);
  }
  return { ...parts, nodes, outputLinkOf, setNodeOf };
};

const readNode = (item: unknown, isSubgraph: (type: string) => boolean): UiNode | undefined => {
  const raw = objectOf(item);
  const id = idOf(raw['id']);
  const given = raw['type'];
  if (id === undefined || typeof given !== 'string') return undefined;
  return uiNode(id, raw, isSubgraph(given) ? 'subgraph' : undefined);
};

/** Makes a node of its members in the file. */
export const uiNode = (id: string, raw: Json, kind?: NodeKind): UiNode => {
  const type = currentType(raw['type'] as string);
  const mode = raw['mode'];
  return { id, type, kind: kind ?? kindOfType(type), isMuted: mode === 2, isBypassed: mode === 4, raw };
};

/** Links by id; entries that are none (`null` happens) are left out, so a node that names one of them is a problem. */
const readLinks = (links: unknown): ReadonlyMap<string, UiLink> => {
  const linkOf = new Map<string, UiLink>();
  for (const item of listOf(links)) {
    const link = objectOf(item);
    const members: readonly unknown[] = Array.isArray(item) ? item : linkMembers.map((name) => link[name]);
    const [id, originId, originSlot, targetId, targetSlot] = members;
    const key = idOf(id);
    const origin = idOf(originId);
    if (key === undefined || origin === undefined) continue;
    linkOf.set(key, {
      originId: origin,
      originSlot: Number(originSlot),
      targetId: idOf(targetId) ?? '',
      targetSlot: Number(targetSlot),
    });
  }
  return linkOf;
};

const linkMembers = ['id', 'origin_id', 'origin_slot', 'target_id', 'target_slot'];

const readBoundarySlot = (slot: unknown): BoundarySlot => {
  const { name, type } = objectOf(slot);
  return { name: typeof name === 'string' ? name : '', type: slotType(type) };
};

/** The type of a slot as text; `*` for any. */
export const slotType = (type: unknown): string => {
  const text = Array.isArray(type) ? 'COMBO' : idOf(type);
  return text === undefined || text === '' || type === 0 ? '*' : text;
};

/** The sockets of a node, as in the file. */
export const socketsOf = (node: UiNode): readonly unknown[] => listOf(node.raw['inputs']);

/** The id of the link that feeds a socket; undefined where there is none. */
export const linkIdOf = (socket: unknown): string | undefined => idOf(objectOf(socket)['link']);

/** The socket with this name. */
export const socketNamed = (node: UiNode, name: string): Json | undefined => {
  const socket = socketsOf(node).find((one) => objectOf(one)['name'] === name);
  return socket === undefined ? undefined : objectOf(socket);
};
