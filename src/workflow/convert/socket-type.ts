import { type Context, definitionOf } from './context.js';
import { hostSockets } from './host-sockets.js';
import { slotType, type UiNode } from './ui-graph.js';
import { listOf, objectOf } from './values.js';

/** The type of an input: the definition's, or the file's where only the file knows it. */
export const inputTypeOf = (context: Context, node: UiNode, socket: unknown): string => {
  const { name, type } = objectOf(socket);
  const declared =
    node.kind === 'subgraph'
      ? typeOfHostInput(context, node, socket)
      : definitionOf(context, node)?.inputOf(String(name))?.type;
  return declared === undefined || isResolvedInFile(declared) ? slotType(type) : declared;
};

const typeOfHostInput = (context: Context, host: UiNode, socket: unknown): string | undefined => {
  const graph = context.subgraphOf(host.type);
  return graph?.inputs[hostSockets(host, graph).indexOf(objectOf(socket))]?.type;
};

/** The type of an output, likewise. */
export const outputTypeOf = (context: Context, node: UiNode, slot: number): string => {
  const declared =
    node.kind === 'subgraph'
      ? context.subgraphOf(node.type)?.outputs[slot]?.type
      : definitionOf(context, node)?.outputs[slot];
  return declared === undefined || isResolvedInFile(declared)
    ? slotType(objectOf(listOf(node.raw['outputs'])[slot])['type'])
    : declared;
};

/** Whether the editor works the type out of what is linked, and saves it so. */
const isResolvedInFile = (type: string): boolean => type === 'COMFY_MATCHTYPE_V3';
