import type { Scope } from './context.js';
import { kept } from '../kept.js';
import { objectOf, textOf } from '../values.js';
import { replacesIn } from './replace-text.js';
import type { UiGraph, UiNode } from './ui-graph.js';
import { widgetValuesOf } from './node-widgets.js';

/**
 * Finds the value of `%Name.widget%`: of the first node whose property "Node name for S&R" is the name, else of the first with
 * this title; in the root graph, then in the node's own. Undefined where there is none.
 */
export const findWidgetValue = (scope: Scope, nodeName: string, widget: string): unknown => {
  let root = scope;
  while (root.host !== undefined) root = root.host.scope;
  for (const at of [root, scope]) {
    const { byProperty, byTitle } = kept(indices, at.graph, indexOf);
    const node = byProperty.get(nodeName) ?? byTitle.get(nodeName);
    if (node === undefined) continue;
    return widgetValuesOf(at, node).values.findLast(({ name }) => name === widget)?.value;
  }
  return undefined;
};

interface NameIndex {
  readonly byProperty: ReadonlyMap<string, UiNode>;
  readonly byTitle: ReadonlyMap<string, UiNode>;
}

const indices = /* @__PURE__ */ new WeakMap<UiGraph, NameIndex>();

const indexOf = ({ nodes }: UiGraph): NameIndex => {
  const byProperty = new Map<string, UiNode>();
  const byTitle = new Map<string, UiNode>();
  // The first one of a name counts.
  for (const node of nodes.toReversed()) {
    const own = textOf(objectOf(node.raw['properties'])['Node name for S&R']);
    // The editor gives the property to each node but the savers.
    if (own !== undefined || !replacesIn(node.type)) byProperty.set(own ?? node.type, node);
    byTitle.set(node.title, node);
  }
  return { byProperty, byTitle };
};
