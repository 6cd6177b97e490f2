import { inputBoundary, type Socket, type UiGraph, type UiNode } from './ui-graph.js';
import { kept } from '../kept.js';
import { listAt, objectOf } from '../values.js';
import type { Override } from './context.js';
import { roundedAsWritten } from './widget-value.js';

/** A socket that a primitive node or an input of the subgraph feeds. */
export interface Target {
  /** The output that feeds it. */
  readonly slot: number;
  readonly node: UiNode;
  readonly socket: Socket;
}

/** The sockets that each primitive node of a graph feeds, by its id; those that its inputs feed, by the id of the boundary. */
export const widgetTargets = (graph: UiGraph): ReadonlyMap<string, readonly Target[]> =>
  kept(known, graph, ({ linkOf, nodeOf }) => {
    const targets = new Map<string, Target[]>();
    for (const [id, { originId, originSlot, targetId }] of linkOf) {
      if (originId !== inputBoundary && nodeOf.get(originId)?.kind !== 'primitive') continue;
      const node = nodeOf.get(targetId);
      const socket = node?.sockets.find(({ link }) => link === id);
      if (node && socket) listAt(targets, originId).push({ slot: originSlot, node, socket });
    }
    return targets;
  });

const known = /* @__PURE__ */ new WeakMap<UiGraph, ReadonlyMap<string, readonly Target[]>>();

/**
 * What the primitive nodes of a graph write into widgets before anything else happens, whatever their mode: the value of the
 * primitive counts where both disagree. Its links bring nothing.
 */
export const writtenByPrimitives = (graph: UiGraph): Map<string, readonly Override[]> => {
  const written = new Map<string, Override[]>();
  for (const [id, targets] of widgetTargets(graph)) {
    const node = graph.nodeOf.get(id);
    const value = node?.values[0];
    if (value === undefined) continue;
    const isReplaced = objectOf(node?.raw['properties'])['Run widget replace on values'] === true;
    for (const target of targets)
      listAt(written, target.node.id).push({ ...writtenInto(target, value), isRaw: false, isReplaced });
  }
  return written;
};

/** A value as the widget keeps it: number widgets round what is written into them. */
export const writtenInto = ({ node, socket }: Target, value: unknown): Pick<Override, 'widget' | 'value'> => {
  const name = socket.widget ?? socket.name ?? '';
  const widget = node.plan?.widgetOf(name);
  return { widget: name, value: widget ? roundedAsWritten(widget, value) : value };
};
