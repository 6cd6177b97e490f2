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

/** A link between two nodes of the group; those from outside have no origin. */
export interface InsideLink {
  readonly id: string;
  readonly link: UiLink;
  readonly type: string;
}

/** Reads the links of a group node. */
export const insideLinks = (stored: Json): readonly InsideLink[] =>
  listOf(stored['links']).flatMap((item, index): readonly InsideLink[] => {
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
