import type { Context } from './context.js';
import { fits, isAny } from './fits.js';
import { listOf, objectOf } from '../values.js';
import type { Socket, UiNode } from './ui-graph.js';
import { typeOfSlot } from './read-node.js';

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
  const inputs = node.sockets;
  if (isAny(want)) return inputs[slot < inputs.length ? slot : 0];
  const declared = graph ? graph.outputs[slot]?.type : node.definition?.outputs[slot];
  const out = typeOfSlot(declared, objectOf(listOf(node.raw['outputs'])[slot])['type']);
  const fitsBoth = ({ type }: Socket) => fits(type, out) && fits(type, want);
  const opposite = inputs[slot];
  if (opposite && fitsBoth(opposite)) return opposite;
  return inputs.find(({ type }) => type === want) ?? inputs.find(fitsBoth);
};
