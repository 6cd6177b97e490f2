import { listAt, objectOf } from '../values.js';
import type { Override, Overrides } from './context.js';
import { roundedAsWritten } from './widget-value.js';
import type { UiGraph } from './ui-graph.js';

/**
 * What the primitive nodes of a graph write into widgets before anything else happens, whatever their mode: the value of the
 * primitive counts where both disagree. Its links bring nothing.
 *
 * @param given - What the instance around writes, among it into the primitives themselves.
 */
export const writtenByPrimitives = (
  { nodes, linkOf, consumerOf }: UiGraph,
  given: Overrides,
): Map<string, Override[]> => {
  const written = new Map<string, Override[]>();
  for (const [id, { originId }] of linkOf) {
    const primitive = nodes.get(originId);
    const consumer = consumerOf.get(id);
    if (primitive?.kind !== 'primitive' || !consumer) continue;
    const { value, isRaw } = given.get(originId)?.at(-1) ?? { value: primitive.values[0], isRaw: false };
    if (value === undefined) continue;
    const { node, socket } = consumer;
    const name = socket.widget ?? socket.name ?? '';
    const widget = node.plan?.widgetOf(name);
    listAt(written, node.id).push({
      widget: name,
      value: widget ? roundedAsWritten(widget, value) : value,
      isRaw,
      isReplaced: objectOf(primitive.raw['properties'])['Run widget replace on values'] === true,
    });
  }
  return written;
};
