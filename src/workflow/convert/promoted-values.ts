import type { Host, InnerGraph, Override, Overrides, Scope } from './context.js';
import { inputBoundary, socketNamed, type UiNode } from './ui-graph.js';
import { idOf, listAt, listOf, objectOf } from '../values.js';
import { isControl } from './guess-widgets.js';
import { type PromotedInput, promotedInputs } from './promoted-inputs.js';
import { widgetTargets, writtenInto } from './primitives.js';

/** What an instance of a subgraph or a group node gives to the inside. */
export interface PromotedValues {
  /** By input of the subgraph. */
  readonly promoted: Host['promoted'];
  readonly overrides: Overrides;
}

/**
 * The values that an instance holds for widgets inside.
 *
 * Files of 1.24 to 1.27 and of 1.49 and later have one value for each promoted input, those between a list of
 * `proxyWidgets`, and group nodes one for each widget. A missing value, and `null` but in a group node, leave the widget inside as it is. What the
 * graph around gives to the instance's own widgets counts more.
 */
export const promotedValues = (scope: Scope, node: UiNode, graph: InnerGraph): PromotedValues => {
  const { values } = node;
  const { entries } = graph;
  if (entries) return { ...byEntries(graph, [], entries, values, [], false), promoted: new Map() };
  const inputs = promotedInputs(scope.context, graph);
  const given = scope.overrides.get(node.id) ?? [];
  const { proxyWidgets } = objectOf(node.raw['properties']);
  const { promoted, overrides } = Array.isArray(proxyWidgets)
    ? byEntries(graph, inputs, proxyWidgets, values, given, true)
    : { promoted: byPosition(inputs, values), overrides: none };
  for (const { widget, value } of given) {
    const input = inputs.find(({ name }) => name === widget);
    if (input) promoted.set(input.slot, value);
  }
  return { promoted, overrides };
};

const none: Overrides = new Map();

/** One value for each promoted input; a longer list has control words after those of seeds. */
const byPosition = (inputs: readonly PromotedInput[], values: readonly unknown[]): Map<number, unknown> => {
  const promoted = new Map<number, unknown>();
  const isLonger = values.length > inputs.length;
  let at = 0;
  for (const { slot, hasControl } of inputs) {
    const value = values[at];
    if (value !== undefined && value !== null) promoted.set(slot, value);
    at += 1;
    if (isLonger && hasControl && isControl(values[at])) at += 1;
  }
  return promoted;
};

/** Entries name a node and a widget. Those that name unknown ones have no effect, as in the editor. */
const byEntries = (
  graph: InnerGraph,
  inputs: readonly PromotedInput[],
  entries: readonly unknown[],
  values: readonly unknown[],
  given: readonly Override[],
  isRaw: boolean,
) => {
  const promoted = new Map<number, unknown>();
  const overrides = new Map<string, Override[]>();
  entries.forEach((item, index) => {
    const [id, name, third] = listOf(item);
    const nodeId = idOf(id);
    if (nodeId === undefined || typeof name !== 'string' || name.startsWith('$$')) return;
    const widget = bareName(name);
    const source = idOf(third);
    const outer = given.findLast(
      (one) =>
        one.widget === widget && (one.source === undefined || one.source === nodeId || one.source === source),
    );
    const value = outer ? outer.value : values[index];
    if (value === undefined || (value === null && isRaw)) return;
    const node = graph.nodeOf.get(nodeId);
    if (!node) {
      const input = nodeId === '-1' ? inputs.find((one) => one.name === widget) : undefined;
      if (input) promoted.set(input.slot, value);
    } else if (node.kind === 'primitive') {
      for (const target of widgetTargets(graph).get(nodeId) ?? [])
        listAt(overrides, target.node.id).push({ ...writtenInto(target, value), isRaw });
    } else {
      listAt(overrides, nodeId).push({ widget, value, isRaw, source });
      const link = graph.linkOf.get(socketNamed(node, widget)?.link ?? '');
      if (link?.originId === inputBoundary) promoted.set(link.originSlot, value);
    }
  });
  return { promoted, overrides };
};

/** Older files name the widget of a nested subgraph `5: 3: seed`. */
const bareName = (name: string): string => name.replace(/^(?:-?\d+: ?)+/u, '');
