import { type Context, planOfNode } from './context.js';
import { fits, isAny } from './fits.js';
import { hostSockets } from './host-sockets.js';
import { inputTypeOf, outputTypeOf } from './socket-type.js';
import { socketNamed, socketsOf, type UiNode } from './ui-graph.js';
import { objectOf } from './values.js';

/**
 * The input whose source a bypassed node passes on from one of its outputs; undefined where it passes nothing on.
 *
 * It is the input of the same index where the types allow it, else the first of exactly the wanted type, else the first that
 * fits. The chosen one may be unlinked: the search does not go on.
 *
 * @param want - The type of the input that asks.
 */
export const bypassInput = (context: Context, node: UiNode, slot: number, want: string): unknown => {
  const inputs = editorInputs(context, node);
  if (isAny(want)) return inputs[slot < inputs.length ? slot : 0]?.socket;
  const out = outputTypeOf(context, node, slot);
  const fitsBoth = ({ type }: EditorInput) => fits(type, out) && fits(type, want);
  const opposite = inputs[slot];
  if (opposite !== undefined && fitsBoth(opposite)) return opposite.socket;
  return (inputs.find(({ type }) => type === want) ?? inputs.find(fitsBoth))?.socket;
};

interface EditorInput {
  readonly type: string;
  /** As in the file; undefined where the file leaves it out, as it is unlinked. */
  readonly socket: unknown;
}

/**
 * The inputs of a node as the editor has them in memory: plain sockets in the order of the definition, then those of widgets,
 * then what only the file has. Exported and older files leave unlinked ones out.
 */
const editorInputs = (context: Context, node: UiNode): readonly EditorInput[] => {
  const graph = node.kind === 'subgraph' ? context.subgraphOf(node.type) : undefined;
  if (graph !== undefined) {
    const sockets = hostSockets(node, graph);
    return graph.inputs.map(({ type }, slot) => ({ type, socket: sockets[slot] }));
  }
  const plan = planOfNode(context, node);
  const inFile = socketsOf(node).map((socket) => ({ type: inputTypeOf(context, node, socket), socket }));
  if (plan === undefined || plan.isDynamic) return inFile;
  const declared = [...plan.sockets, ...plan.widgets.map(({ input }) => input)];
  const names = new Set<unknown>(declared.map(({ name }) => name));
  return [
    ...declared.map(({ name, type }) => {
      const socket = socketNamed(node, name);
      return { type: socket === undefined ? type : inputTypeOf(context, node, socket), socket };
    }),
    ...inFile.filter(({ socket }) => !names.has(objectOf(socket)['name'])),
  ];
};
