import type { Scope } from './context.js';
import { kept } from '../kept.js';
import { objectOf, textOf } from '../values.js';
import { replacesIn } from './replace-text.js';
import type { UiGraph, UiNode } from './ui-graph.js';
import { widgetValuesOf } from './node-widgets.js';

/**
 * Finds the value of `%Name.widget%`: of the first node whose property "Node name for S&R" is the name, else of the first with
 * this title; in the root graph, then in the node's own. Undefined if no node has the name.
 */
export const findWidgetValue = (scope: Scope, nodeName: string, widget: string): unknown => {
  let root = scope;
  while (root.host) root = root.host.scope;
  for (const at of [root, scope]) {
    const node = kept(indices, at.graph, indexOf).get(nodeName);
    if (!node) continue;
    return widgetValuesOf(at, node).values.findLast(({ name }) => name === widget)?.value;
  }
  return undefined;
};

type NodeByName = ReadonlyMap<string | undefined, UiNode>;

const indices = /* @__PURE__ */ new WeakMap<UiGraph, NodeByName>();

/** The first node of a name counts, and a property more than a title. */
const indexOf = ({ nodes }: UiGraph): NodeByName => {
  const last = [...nodes.values()].toReversed();
  return new Map([
    ...last.map((node) => [node.title, node] as const),
    ...last.map((node) => [propertyOf(node), node] as const),
  ]);
};

/** The editor gives the property to each node but the savers. */
const propertyOf = ({ raw, type }: UiNode): string | undefined =>
  textOf(objectOf(raw['properties'])['Node name for S&R']) ?? (replacesIn(type) ? undefined : type);
