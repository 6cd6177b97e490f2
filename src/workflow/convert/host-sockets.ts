import { kept } from '../kept.js';
import type { Socket, UiGraph, UiNode } from './ui-graph.js';
import { listAt } from '../values.js';

/**
 * The socket of an instance for each input of its subgraph: by name, of several with one name by type and order. Their
 * positions and types in the file mean nothing, as the editor makes them anew from the definition.
 */
export const hostSockets = (host: UiNode, graph: UiGraph): readonly Socket[] =>
  kept(found, host, () => matchSockets(host, graph));

const found = /* @__PURE__ */ new WeakMap<UiNode, readonly Socket[]>();

const matchSockets = ({ sockets }: UiNode, { inputs }: UiGraph): readonly Socket[] => {
  const byName = new Map<unknown, Socket[]>();
  for (const socket of sockets) listAt(byName, socket.name).push(socket);
  return inputs.map((input) => {
    const left = byName.get(input.name) ?? [];
    const sameType = left.findIndex(({ type }) => type === input.type);
    return { ...left.splice(Math.max(0, sameType), 1)[0], ...input };
  });
};
