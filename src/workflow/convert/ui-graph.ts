import type { ClassDefinition } from '../definitions.js';
import type { ClassPlan } from './widget-plan.js';
import type { Json } from '../values.js';
import type { NodeKind } from './node-kind.js';

/** A node of the editor. */
export interface UiNode {
  readonly id: string;
  readonly type: string;
  readonly kind: NodeKind;
  readonly isMuted: boolean;
  readonly isBypassed: boolean;
  /** Its own, or what its class is called. */
  readonly title: string;
  /** Of a class that the definitions have. */
  readonly definition: ClassDefinition | undefined;
  /** The layout of that class. */
  readonly plan: ClassPlan | undefined;
  /** As the editor has them in memory. */
  readonly sockets: readonly Socket[];
  /** The types of its outputs. */
  readonly outputs: readonly string[];
  /** Its `widgets_values`, where they are a list. */
  readonly values: readonly unknown[];
  /** As in the file. */
  readonly raw: Json;
}

/** An input of a node. */
export interface Socket {
  readonly name: string | undefined;
  /** The definition's, or the file's where only the file knows it. */
  readonly type: string;
  /** The link that feeds it. */
  readonly link?: string | undefined;
  /** The widget that it belongs to. */
  readonly widget?: string | undefined;
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

/** The socket that a link feeds. */
export interface Consumer {
  readonly node: UiNode;
  readonly socket: Socket;
}

/** An end of a link that is not of its graph: an output of a node, by the ids of the instances around it and its own. */
export interface PathEnd {
  readonly path: readonly string[];
  readonly slot: number;
}

/** One graph: the root, the definition of a subgraph, or a group node's. */
export interface UiGraph {
  /** By id, in the order of the file. */
  readonly nodes: ReadonlyMap<string, UiNode>;
  readonly linkOf: ReadonlyMap<string, UiLink>;
  /** By the id of the link. Only sockets tell, as the editor goes by them. */
  readonly consumerOf: ReadonlyMap<string | undefined, Consumer>;
  /** The nodes that feed a socket. */
  readonly feeding: ReadonlySet<string>;
  /** The link into each output of a subgraph, by its slot. */
  readonly outputLinkOf: ReadonlyMap<number, UiLink>;
  /** Set nodes by their name. */
  readonly setNodeOf: ReadonlyMap<unknown, UiNode>;
  /** The "Use Everywhere" nodes whose links the file has; undefined if it has none. */
  readonly controllers: ReadonlySet<unknown> | undefined;
  /** Links by the paths of their ends, where the file has such. */
  readonly pathLinks: ReadonlyMap<string, PathEnd>;
  /** Of a group node: which widgets the entries of `widgets_values` belong to, as in `proxyWidgets`. */
  readonly entries: unknown;
  /** Likewise, of a file that leaves the entries of hidden widgets out. */
  readonly visibleEntries: unknown;
}

export const inputBoundary = '-10';
export const outputBoundary = '-20';

/** The socket with this name. */
export const socketNamed = ({ sockets }: UiNode, name: string): Socket | undefined =>
  sockets.find((socket) => socket.name === name);
