import type { Context, Host, Override, Overrides, Scope } from './context.js';
import { inputBoundary, linkIdOf, socketNamed, type UiGraph, type UiNode } from './ui-graph.js';
import { idOf, type Json, listAt, listOf, objectOf } from './values.js';
import { isControl } from './guess-widgets.js';
import { primitiveTargets, writtenInto } from './primitives.js';
import { type PromotedInput, promotedInputs } from './promoted-inputs.js';

/** What an instance of a subgraph gives to the inside. */
export interface PromotedValues {
  readonly promoted: Host['promoted'];
  readonly overrides: Overrides;
}

/**
 * The values that an instance of a subgraph holds for widgets inside.
 *
 * Files of 1.24 to 1.27 and of 1.49 and later have one value for each promoted input, those between a list of
 * `proxyWidgets`. A missing value and `null` leave the widget inside as it is. What the graph around gives to the instance's
 * own widgets counts more.
 */
export const promotedValues = (
  context: Context,
  scope: Scope,
  node: UiNode,
  graph: UiGraph,
): PromotedValues => {
  const inputs = promotedInputs(context, graph);
  const given = scope.overrides.get(node.id) ?? [];
  const { proxyWidgets } = objectOf(node.raw['properties']);
  const fromFile = Array.isArray(proxyWidgets)
    ? byProxies(context, graph, inputs, proxies(node, proxyWidgets, given))
    : { promoted: byPosition(inputs, listOf(node.raw['widgets_values'])), overrides: none };
  const promoted = new Map(fromFile.promoted);
  for (const { widget, value } of given) {
    const input = inputs.find(({ name }) => name === widget);
    if (input !== undefined) promoted.set(input.slot, value);
  }
  return { promoted, overrides: fromFile.overrides };
};

const none: Overrides = new Map();

/** One value for each promoted input; a longer list has control words after those of seeds. */
const byPosition = (
  inputs: readonly PromotedInput[],
  values: readonly unknown[],
): ReadonlyMap<number, unknown> => {
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

/** An entry of `proxyWidgets` and its value. */
interface Proxy {
  readonly nodeId: string;
  readonly widget: string;
  readonly source: string | undefined;
  readonly value: unknown;
}

const proxies = (node: UiNode, list: readonly unknown[], given: readonly Override[]): readonly Proxy[] => {
  const values = listOf(node.raw['widgets_values']);
  return list.flatMap((item, index): readonly Proxy[] => {
    const [id, name, third] = listOf(item);
    const nodeId = idOf(id);
    if (nodeId === undefined || typeof name !== 'string' || name.startsWith('$$')) return [];
    const widget = bareName(name);
    const source = idOf(third);
    const outer = given.findLast(
      (one) =>
        one.widget === widget && (one.source === undefined || one.source === nodeId || one.source === source),
    );
    const value = outer === undefined ? values[index] : outer.value;
    return value === undefined || value === null ? [] : [{ nodeId, widget, source, value }];
  });
};

/** Older files name the widget of a nested subgraph `5: 3: seed`. */
const bareName = (name: string): string => name.replace(/^(?:-?\d+: ?)+/u, '');

/** Entries that name an unknown node or widget have no effect, as in the editor. */
const byProxies = (
  context: Context,
  graph: UiGraph,
  inputs: readonly PromotedInput[],
  entries: readonly Proxy[],
): PromotedValues => {
  const promoted = new Map<number, unknown>();
  const overrides = new Map<string, Override[]>();
  for (const { nodeId, widget, source, value } of entries) {
    const node = graph.nodeOf.get(nodeId);
    if (node === undefined) {
      const input = nodeId === '-1' ? inputs.find(({ name }) => name === widget) : undefined;
      if (input !== undefined) promoted.set(input.slot, value);
    } else if (node.kind === 'primitive') {
      for (const target of primitiveTargets(graph).get(nodeId) ?? []) {
        const written = writtenInto(context, target.node, target.widget, value);
        listAt(overrides, target.node.id).push({ widget: target.widget, value: written, isRaw: true });
      }
    } else {
      listAt(overrides, nodeId).push({
        widget,
        value,
        isRaw: true,
        ...(source !== undefined && { source }),
      });
      const slot = boundarySlotOf(graph, socketNamed(node, widget));
      if (slot !== undefined) promoted.set(slot, value);
    }
  }
  return { promoted, overrides };
};

const boundarySlotOf = (graph: UiGraph, socket: Json | undefined): number | undefined => {
  const link = graph.linkOf.get(linkIdOf(socket) ?? '');
  return link?.originId === inputBoundary ? link.originSlot : undefined;
};
