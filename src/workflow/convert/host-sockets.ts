import { kept } from '../kept.js';
import { slotType, socketsOf, type UiGraph, type UiNode } from './ui-graph.js';
import { type Json, listAt, objectOf } from './values.js';

/**
 * The socket of an instance for each input of its subgraph: by name, of several with one name by type and order. Their
 * positions in the file mean nothing, as the editor makes them anew from the definition.
 */
export const hostSockets = (host: UiNode, graph: UiGraph): readonly (Json | undefined)[] =>
  kept(found, host, () => matchSockets(host, graph));

const found = /* @__PURE__ */ new WeakMap<UiNode, readonly (Json | undefined)[]>();

const matchSockets = (host: UiNode, graph: UiGraph): readonly (Json | undefined)[] => {
  const byName = new Map<unknown, Json[]>();
  for (const item of socketsOf(host)) {
    const socket = objectOf(item);
    listAt(byName, socket['name']).push(socket);
  }
  return graph.inputs.map(({ name, type }) => {
    const left = byName.get(name) ?? [];
    const sameType = left.findIndex((socket) => slotType(socket['type']) === type);
    return left.splice(Math.max(0, sameType), 1)[0];
  });
};
