import type { Context } from './context.js';
import { inputBoundary, type Consumer, type UiGraph } from './ui-graph.js';

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
  if (known) return known;
  // Found again while it is being worked out, a recursive definition has none.
  promoted.set(graph, []);
  const bySlot = new Map<number, boolean>();
  for (const [id, { originId, originSlot }] of graph.linkOf) {
    const consumer = originId === inputBoundary ? graph.consumerOf.get(id) : undefined;
    if (!consumer || bySlot.get(originSlot) === true) continue;
    const widget = widgetAt(context, consumer, depth);
    if (widget) bySlot.set(originSlot, widget.hasControl);
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
  { node, socket }: Consumer,
  depth: number,
): { readonly hasControl: boolean } | undefined => {
  const inner = node.kind === 'subgraph' && depth < deepest ? context.graphIn(node) : undefined;
  if (inner) {
    const at = node.sockets.indexOf(socket);
    return promotedInputs(context, inner, depth + 1).find(({ slot }) => slot === at);
  }
  const { plan } = node;
  const widget = plan?.widgetOf(socket.name);
  if (widget) return widget;
  const isPlain = plan?.declared.some(({ name }) => name === socket.name) === true;
  return !isPlain && socket.widget !== undefined ? { hasControl: false } : undefined;
};
