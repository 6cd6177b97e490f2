import { idOf, type Json, listOf } from './values.js';
import { slotType, type UiGraph, type UiLink } from './ui-graph.js';

/** A group node of the editors before subgraphs: its graph, and what its `widgets_values` hold. */
export interface GroupNode {
  readonly graph: UiGraph;
  readonly entries: readonly GroupEntry[];
}

/** Consecutive entries of a group node's `widgets_values`. */
export interface GroupEntry {
  /** How many they are: the first one is the value. */
  readonly length: number;
  /** The node inside whose widget it is; undefined for buttons. */
  readonly nodeId?: string;
  /** Undefined for a node of an unknown class: the entries are its whole `widgets_values`. */
  readonly widget?: string;
}

/** The links inside a group. */
export interface InsideLinks {
  readonly all: readonly InsideLink[];
  /** The link into an input of a node, by the index of its socket. */
  readonly into: (nodeId: string, slot: number) => InsideLink | undefined;
}

/** A link between two nodes of the group; those from outside have no origin. */
interface InsideLink {
  readonly id: string;
  readonly link: UiLink;
  readonly type: string;
}

/** Reads the links of a group node. */
export const insideLinks = (stored: Json): InsideLinks => {
  const all = listOf(stored['links']).flatMap((item, index): readonly InsideLink[] => {
    const [origin, originSlot, target, targetSlot, , type] = listOf(item);
    const originId = idOf(origin);
    const targetId = idOf(target);
    return originId === undefined || targetId === undefined
      ? []
      : [
          {
            id: `inside ${index}`,
            link: boundaryLink(originId, Number(originSlot), targetId, Number(targetSlot)),
            type: slotType(type),
          },
        ];
  });
  const into = new Map<string, InsideLink>();
  for (const inside of all) {
    const key = socketKey(inside.link.targetId, inside.link.targetSlot);
    if (!into.has(key)) into.set(key, inside);
  }
  return { all, into: (nodeId, slot) => into.get(socketKey(nodeId, slot)) };
};

const socketKey = (nodeId: string, slot: number): string => `${nodeId} ${slot}`;

/** Makes a link. */
export const boundaryLink = (
  originId: string,
  originSlot: number,
  targetId: string,
  targetSlot: number,
): UiLink => ({
  originId,
  originSlot,
  targetId,
  targetSlot,
});
