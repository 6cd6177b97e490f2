import { listAt, objectOf } from '../values.js';
import type { Override } from './context.js';
import { roundedAsWritten } from './widget-value.js';
import type { UiGraph } from './ui-graph.js';

/**
 * Adds what the primitive nodes of a graph write into widgets, whatever their mode: the value of the primitive counts where both
 * disagree, and what the instance around gives counts more. Its links bring nothing.
 *
 * @param overrides - What the instance around gives, among it to the primitives themselves.
 */
export const writePrimitives = (
  { nodes, linkOf, consumerOf }: UiGraph,
  overrides: Map<string, Override[]>,
): void => {
  for (const [id, { originId }] of linkOf) {
    const primitive = nodes.get(originId);
    const consumer = consumerOf.get(id);
    if (primitive?.kind !== 'primitive' || !consumer) continue;
    const { value, isRaw } = overrides.get(originId)?.at(-1) ?? { value: primitive.values[0], isRaw: false };
    if (value === undefined) continue;
    const { node, socket } = consumer;
    const name = socket.widget ?? socket.name ?? '';
    const widget = node.plan?.widgetOf(name);
    listAt(overrides, node.id).unshift({
      widget: name,
      value: widget ? roundedAsWritten(widget, value) : value,
      isRaw,
      isReplaced: objectOf(primitive.raw['properties'])['Run widget replace on values'] === true,
    });
  }
};
