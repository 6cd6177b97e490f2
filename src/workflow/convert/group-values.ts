import type { Override, Overrides } from './context.js';
import type { GroupNode } from './group-links.js';
import { listAt, listOf } from './values.js';
import { primitiveTargets } from './primitives.js';
import type { UiNode } from './ui-graph.js';

/** What the `widgets_values` of a group node give to the widgets inside. Where they end, the nodes keep their own. */
export const groupOverrides = (host: UiNode, { graph, entries }: GroupNode): Overrides => {
  const values = listOf(host.raw['widgets_values']);
  const overrides = new Map<string, Override[]>();
  const targets = primitiveTargets(graph);
  let at = 0;
  for (const { length, nodeId, widget } of entries) {
    const value = values[at];
    if (nodeId !== undefined && value !== undefined) {
      const taken = widget === undefined ? (targets.get(nodeId) ?? []) : [{ node: { id: nodeId }, widget }];
      for (const target of taken) {
        listAt(overrides, target.node.id).push({ widget: target.widget, value, isRaw: false });
      }
    }
    at += length;
  }
  return overrides;
};
