import type { Context } from './context.js';
import { inputBoundary, type Consumer, type UiGraph } from './ui-graph.js';

/** The inputs of a subgraph that stand for a widget inside, by slot: whether older files have a control word after its value. */
export type PromotedInputs = ReadonlyMap<number, boolean>;

/** Deeper than any file that people make; a recursive definition ends here. */
const deepest = 64;

/**
 * The promoted inputs of a subgraph: those that feed a widget inside, directly or through the promoted input of an instance
 * inside.
 */
export const promotedInputs = (context: Context, graph: UiGraph, depth = 0): PromotedInputs => {
  const known = promoted.get(graph);
  if (known) return known;
  const inputs = new Map<number, boolean>();
  // A recursive definition finds it before it is complete.
  promoted.set(graph, inputs);
  for (const [id, { originId, originSlot }] of graph.linkOf) {
    const consumer = originId === inputBoundary ? graph.consumerOf.get(id) : undefined;
    if (!consumer || inputs.get(originSlot) === true) continue;
    const hasControl = controlOf(context, consumer, depth);
    if (hasControl !== undefined) inputs.set(originSlot, hasControl);
  }
  return inputs;
};

const promoted = /* @__PURE__ */ new WeakMap<UiGraph, PromotedInputs>();

/** Whether the widget of a socket has a control word; undefined if the socket has no widget. */
const controlOf = (context: Context, { node, socket }: Consumer, depth: number): boolean | undefined => {
  const inner = node.kind === 'subgraph' && depth < deepest ? context.graphIn(node) : undefined;
  if (inner) return promotedInputs(context, inner, depth + 1).get(node.sockets.indexOf(socket));
  const { plan } = node;
  const widget = plan?.widgetOf(socket.name);
  if (widget) return widget.hasControl;
  const isPlain = plan?.declared.some(({ name }) => name === socket.name) === true;
  return !isPlain && socket.widget !== undefined ? false : undefined;
};
