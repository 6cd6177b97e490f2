import { type Context, type Override, type Overrides, planOfNode } from './context.js';
import { linkIdOf, socketsOf, type UiGraph, type UiNode } from './ui-graph.js';
import { type Json, listAt, listOf, objectOf } from './values.js';
import { roundedAsWritten } from './widget-value.js';

/** A widget that a primitive node feeds. */
interface Target {
  readonly node: UiNode;
  readonly widget: string;
}

/** The widgets that each primitive node of a graph feeds, by its id. */
export const primitiveTargets = (graph: UiGraph): ReadonlyMap<string, readonly Target[]> => {
  const targets = new Map<string, Target[]>();
  if (!graph.nodes.some(({ kind }) => kind === 'primitive')) return targets;
  for (const [linkId, { originId, targetId }] of graph.linkOf) {
    if (graph.nodeOf.get(originId)?.kind !== 'primitive') continue;
    const node = graph.nodeOf.get(targetId);
    const socket = node && socketsOf(node).find((one) => linkIdOf(one) === linkId);
    if (node === undefined || socket === undefined) continue;
    listAt(targets, originId).push({ node, widget: widgetNameOf(objectOf(socket)) });
  }
  return targets;
};

const widgetNameOf = ({ name, widget }: Json): string => {
  const own = objectOf(widget)['name'];
  return typeof own === 'string' ? own : String(name);
};

/**
 * What the primitive nodes of a graph write into widgets before anything else happens, whatever their mode: the value of the
 * primitive counts where both disagree. Its links bring nothing.
 */
export const writtenByPrimitives = (context: Context, graph: UiGraph): Overrides => {
  const written = new Map<string, Override[]>();
  for (const [id, targets] of primitiveTargets(graph)) {
    const raw = graph.nodeOf.get(id)?.raw;
    const [value] = listOf(raw?.['widgets_values']);
    if (value === undefined) continue;
    const isReplaced = objectOf(raw?.['properties'])['Run widget replace on values'] === true;
    for (const { node, widget } of targets) {
      const override = { widget, value: writtenInto(context, node, widget, value), isRaw: false, isReplaced };
      listAt(written, node.id).push(override);
    }
  }
  return written;
};

/** A value as the widget keeps it: number widgets round what is written into them. */
export const writtenInto = (context: Context, node: UiNode, name: string, value: unknown): unknown => {
  const widget = planOfNode(context, node)?.widgetOf(name);
  return widget === undefined ? value : roundedAsWritten(widget, value);
};
