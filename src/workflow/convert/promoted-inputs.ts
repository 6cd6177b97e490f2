import { type Context, planOfNode } from './context.js';
import { hostSockets } from './host-sockets.js';
import { inputBoundary, linkIdOf, socketsOf, type UiGraph, type UiNode } from './ui-graph.js';
import { isJsonObject } from '../../protocol/json/json.js';
import { objectOf } from './values.js';

/** An input of a subgraph that stands for a widget inside. */
export interface PromotedInput {
  readonly slot: number;
  readonly name: string;
  /** Whether older files have a control word after its value. */
  readonly hasControl: boolean;
}

/** Deeper than any file that people make; a recursive definition ends here. */
const deepest = 64;

/**
 * The promoted inputs of a subgraph, in order: those that feed a widget inside, directly or through the promoted input of an
 * instance inside.
 */
export const promotedInputs = (context: Context, graph: UiGraph, depth = 0): readonly PromotedInput[] => {
  const known = promoted.get(graph);
  if (known !== undefined) return known;
  // Found again while it is being worked out, a recursive definition has none.
  promoted.set(graph, []);
  const bySlot = new Map<number, boolean>();
  for (const [linkId, { originId, originSlot, targetId }] of graph.linkOf) {
    if (originId !== inputBoundary || bySlot.get(originSlot) === true) continue;
    const node = graph.nodeOf.get(targetId);
    const socket = node && socketsOf(node).find((one) => linkIdOf(one) === linkId);
    const widget = node && socket !== undefined ? widgetAt(context, node, socket, depth) : undefined;
    if (widget !== undefined) bySlot.set(originSlot, widget.hasControl);
  }
  const inputs = graph.inputs.flatMap(({ name }, slot) => {
    const hasControl = bySlot.get(slot);
    return hasControl === undefined ? [] : [{ slot, name, hasControl }];
  });
  promoted.set(graph, inputs);
  return inputs;
};

const promoted = /* @__PURE__ */ new WeakMap<UiGraph, readonly PromotedInput[]>();

const widgetAt = (
  context: Context,
  node: UiNode,
  item: unknown,
  depth: number,
): { readonly hasControl: boolean } | undefined => {
  const socket = objectOf(item);
  const inner = node.kind === 'subgraph' && depth < deepest ? context.subgraphOf(node.type) : undefined;
  if (inner !== undefined) {
    const at = hostSockets(node, inner).indexOf(socket);
    return promotedInputs(context, inner, depth + 1).find(({ slot }) => slot === at);
  }
  const plan = planOfNode(context, node);
  const widget = plan?.widgetOf(String(socket['name']));
  if (widget !== undefined) return widget;
  const isPlain = plan?.isDynamic === false && plan.sockets.some(({ name }) => name === socket['name']);
  return !isPlain && isJsonObject(socket['widget']) ? { hasControl: false } : undefined;
};
