import type { Context } from './context.js';
import { fits, isAny } from './fits.js';
import { hostSockets } from './host-sockets.js';
import { kept } from '../kept.js';
import { listOf, objectOf } from '../values.js';
import { type Socket, socketNamed, type UiNode } from './ui-graph.js';
import { typeOfSlot } from './read-ui-graph.js';

/**
 * The input whose source a bypassed node passes on from one of its outputs; undefined where it passes nothing on.
 *
 * It is the input of the same index where the types allow it, else the first of exactly the wanted type, else the first that
 * fits. The chosen one may be unlinked: the search does not go on.
 *
 * @param want - The type of the input that asks.
 */
export const bypassInput = (
  context: Context,
  node: UiNode,
  slot: number,
  want: string,
): Socket | undefined => {
  const graph = node.kind === 'subgraph' ? context.graphIn(node) : undefined;
  const inputs = graph ? hostSockets(node, graph) : editorInputs(node);
  if (isAny(want)) return inputs[slot < inputs.length ? slot : 0];
  const declared = graph ? graph.outputs[slot]?.type : node.definition?.outputs[slot];
  const out = typeOfSlot(declared, objectOf(listOf(node.raw['outputs'])[slot])['type']);
  const fitsBoth = ({ type }: Socket) => fits(type, out) && fits(type, want);
  const opposite = inputs[slot];
  if (opposite && fitsBoth(opposite)) return opposite;
  return inputs.find(({ type }) => type === want) ?? inputs.find(fitsBoth);
};

/**
 * The inputs of a node as the editor has them in memory: plain sockets in the order of the definition, then those of widgets,
 * then what only the file has. Exported and older files leave unlinked ones out.
 */
const editorInputs = (node: UiNode): readonly Socket[] => kept(completed, node, completeInputs);

const completed = /* @__PURE__ */ new WeakMap<UiNode, readonly Socket[]>();

const completeInputs = (node: UiNode): readonly Socket[] => {
  const { plan, sockets } = node;
  if (!plan || plan.isDynamic) return sockets;
  const declared = [...plan.sockets, ...plan.widgets.map(({ input }) => input)];
  const names = new Set<string | undefined>(declared.map(({ name }) => name));
  return [
    ...declared.map(({ name, type }) => socketNamed(node, name) ?? { name, type }),
    ...sockets.filter(({ name }) => !names.has(name)),
  ];
};
