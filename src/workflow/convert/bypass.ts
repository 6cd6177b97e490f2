import { fits } from './fits.js';
import type { Socket, UiNode } from './ui-graph.js';

/**
 * The input whose source a bypassed node passes on from one of its outputs; undefined if it passes nothing on.
 *
 * It is the input of the same index where the types allow it, else the first of exactly the wanted type, else the first that
 * fits. The chosen one may be unlinked: the search does not go on.
 *
 * @param want - The type of the input that asks.
 */
export const bypassInput = ({ sockets, outputs }: UiNode, slot: number, want: string): Socket | undefined => {
  const opposite = sockets[slot];
  if (want === '*') return opposite ?? sockets[0];
  const fitsBoth = ({ type }: Socket) => fits(type, outputs[slot] ?? '*') && fits(type, want);
  if (opposite && fitsBoth(opposite)) return opposite;
  return sockets.find(({ type }) => type === want) ?? sockets.find(fitsBoth);
};
