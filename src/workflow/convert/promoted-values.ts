import { counted } from '../../core/protocol/counted.js';
import { type Host, type Override, reportOn, type Scope } from './context.js';
import { inputBoundary, socketNamed, type UiGraph, type UiNode } from './ui-graph.js';
import { idOf, listAt, listOf, objectOf } from '../values.js';
import { isControl, isLeftover } from './guess-widgets.js';
import { warning } from '../validate/finding.js';
import { promotedInputs, type PromotedInputs } from './promoted-inputs.js';

/** What an instance of a subgraph or a group node gives to the inside. */
export interface PromotedValues {
  /** By input of the subgraph. */
  readonly promoted: Host['promoted'];
  readonly overrides: Map<string, Override[]>;
}

/**
 * The values that an instance holds for widgets inside.
 *
 * Files of 1.24 to 1.27 and of 1.49 and later have one value for each promoted input, those between a list of
 * `proxyWidgets`, and group nodes one for each widget. A missing value, and `null` but in a group node, leave the widget inside as it is. What the
 * graph around gives to the instance's own widgets counts more.
 */
export const promotedValues = (scope: Scope, node: UiNode, graph: UiGraph): PromotedValues => {
  const { values } = node;
  const isGroup = node.kind === 'group';
  const inputs = promotedInputs(scope.context, graph);
  const given = isGroup ? [] : (scope.overrides.get(node.id) ?? []);
  const isWhole = values.length > listOf(graph.visibleEntries).length;
  const ofGroup = isWhole ? graph.entries : graph.visibleEntries;
  const entries = isGroup ? ofGroup : objectOf(node.raw['properties'])['proxyWidgets'];
  const promoted = Array.isArray(entries) ? new Map<number, unknown>() : byPosition(node, inputs);
  const overrides = new Map<string, Override[]>();
  const unknown: string[] = [];
  const promote = (name: string, value: unknown): void => {
    const slot = node.sockets.findIndex((socket, at) => socket.name === name && inputs.has(at));
    if (slot >= 0) promoted.set(slot, value);
  };
  // Entries name a node and a widget. Those that name unknown ones have no effect, as in the editor.
  listOf(entries).forEach((item, index) => {
    const entry = readEntry(item);
    if (entry === undefined) return;
    const { nodeId, widget, source } = entry;
    const value = valueAround(given, widget, [undefined, nodeId, source], values[index]);
    if (value === undefined || (value === null && !isGroup)) return;
    const inside = graph.nodes.get(nodeId);
    if (inside) {
      listAt(overrides, nodeId).push({ widget, value, isRaw: !isGroup, source });
      const link = graph.linkOf.get(socketNamed(inside, widget)?.link ?? '');
      if (link?.originId === inputBoundary && !isGroup) promoted.set(link.originSlot, value);
    } else if (nodeId === '-1') promote(widget, value);
    if (inside ? isUnknown(inside, widget) : nodeId !== '-1') unknown.push(`${nodeId}.${widget}`);
  });
  if (unknown.length > 0) {
    const message = `has values for widgets that it lacks inside (${unknown.join(', ')}): not sent.`;
    reportOn(scope, node, warning('unused_values', message));
  }
  for (const { widget, value } of given) promote(widget, value);
  reportSurplus(scope, node, Array.isArray(entries) ? entries.length : positionsOf(node, inputs));
  return { promoted, overrides };
};

/** The widget inside that an entry names, and where a link to it comes from; undefined for what is no such entry. */
const readEntry = (
  item: unknown,
): { readonly nodeId: string; readonly widget: string; readonly source: string | undefined } | undefined => {
  const [id, name, source] = listOf(item);
  const nodeId = idOf(id);
  return nodeId === undefined || typeof name !== 'string' || name.startsWith('$$')
    ? undefined
    : { nodeId, widget: bareName(name), source: idOf(source) };
};

/** The value that the graph around gives to a widget of an instance; else the instance's own. */
const valueAround = (
  given: readonly Override[],
  widget: string,
  sources: readonly (string | undefined)[],
  own: unknown,
): unknown => {
  const outer = given.findLast((one) => one.widget === widget && sources.includes(one.source));
  return outer ? outer.value : own;
};

/** Reports the values of an instance beyond those that belong to its inputs. */
const reportSurplus = (scope: Scope, node: UiNode, used: number): void => {
  const unused = node.values.slice(used).filter((value) => !isLeftover(value));
  if (unused.length === 0) return;
  const message = `has ${counted(unused.length, 'value')} more than there are widgets inside: not sent.`;
  reportOn(scope, node, warning('unused_values', message));
};

/** One value for each promoted input; a longer list has control words after those of seeds. */
const byPosition = ({ sockets, values }: UiNode, inputs: PromotedInputs): Map<number, unknown> => {
  const promoted = new Map<number, unknown>();
  const isLonger = values.length > inputs.size;
  let at = 0;
  for (const slot of sockets.keys()) {
    const hasControl = inputs.get(slot);
    if (hasControl === undefined) continue;
    const value = values[at];
    if (value !== undefined && value !== null) promoted.set(slot, value);
    at += 1;
    if (isLonger && hasControl && isControl(values[at])) at += 1;
  }
  return promoted;
};

/** How many values of the list belong to promoted inputs, with the control words between them. */
const positionsOf = ({ sockets, values }: UiNode, inputs: PromotedInputs): number => {
  const isLonger = values.length > inputs.size;
  let at = 0;
  for (const slot of sockets.keys()) {
    const hasControl = inputs.get(slot);
    if (hasControl !== undefined) at += isLonger && hasControl && isControl(values[at + 1]) ? 2 : 1;
  }
  return at;
};

/** Whether a class has no such widget, as far as its definition tells; the control word of a seed is no input. */
const isUnknown = ({ kind, plan }: UiNode, widget: string): boolean =>
  kind === 'class' &&
  plan !== undefined &&
  widget !== 'control_after_generate' &&
  plan.widgetOf(widget) === undefined;

/** Older files name the widget of a nested subgraph `5: 3: seed`. */
const bareName = (name: string): string => name.replace(/^(?:-?\d+: ?)+/u, '');
