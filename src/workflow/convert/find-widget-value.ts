import type { Context, Scope } from './context.js';
import { titleOf } from './context.js';
import type { FindWidgetValue } from './replace-text.js';
import { kept } from '../kept.js';
import { objectOf } from './values.js';
import { replacesIn } from './replace-text.js';
import type { UiNode } from './ui-graph.js';
import { widgetValuesOf } from './node-widgets.js';

/**
 * Makes the search for `%Name.widget%`: the first node whose property "Node name for S&R" is the name, else the first with
 * this title; in the root graph, then in the node's own.
 */
export const widgetValueFinder = (context: Context, root: Scope): ((scope: Scope) => FindWidgetValue) => {
  const indices = new Map<Scope, NameIndex>();
  return (scope) => (nodeName, widget) => {
    for (const at of new Set([root, scope])) {
      const { byProperty, byTitle } = kept(indices, at, () => nameIndex(context, at));
      const node = byProperty.get(nodeName) ?? byTitle.get(nodeName);
      if (node === undefined) continue;
      let found: unknown;
      widgetValuesOf(context, at, node, (one) => {
        if (one.name === widget) found = one.value;
      });
      return found;
    }
    return undefined;
  };
};

interface NameIndex {
  readonly byProperty: ReadonlyMap<string, UiNode>;
  readonly byTitle: ReadonlyMap<string, UiNode>;
}

const nameIndex = (context: Context, { graph }: Scope): NameIndex => {
  const byProperty = new Map<string, UiNode>();
  const byTitle = new Map<string, UiNode>();
  for (const node of graph.nodes) {
    const own = objectOf(node.raw['properties'])['Node name for S&R'];
    // The editor gives the property to each node but the savers.
    const property = typeof own === 'string' ? own : replacesIn(node.type) ? undefined : node.type;
    if (property !== undefined && !byProperty.has(property)) byProperty.set(property, node);
    const title = titleOf(context, node);
    if (!byTitle.has(title)) byTitle.set(title, node);
  }
  return { byProperty, byTitle };
};
