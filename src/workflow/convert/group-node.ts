import type { Context, InnerGraph } from './context.js';
import { groupInputs } from './group-inputs.js';
import { idOf, type Json, listOf, objectOf } from '../values.js';
import { inputBoundary, outputBoundary, type UiGraph } from './ui-graph.js';
import { readUiGraph } from './read-ui-graph.js';

/**
 * Reads a group node of the editors before subgraphs as the subgraph that it would be: its inputs and outputs become links to
 * the boundaries. Ids are the indices of its nodes.
 */
export const readGroupNode = (context: Context, stored: Json, definitionId: string): InnerGraph => {
  const inside = listOf(stored['links'])
    .map(listOf)
    .filter(([origin, , target]) => idOf(origin) !== undefined && idOf(target) !== undefined);
  const links = inside.map((link, id): unknown[] => [id, ...link]);
  // The first link into a socket counts; the ids of links in the file mean nothing here.
  const linkInto = new Map(
    inside.map(([, , target, slot], id) => [keyOf(target, slot), id] as const).toReversed(),
  );
  const nodes = listOf(stored['nodes']).map((item, id) => {
    const raw = objectOf(item);
    const inputs = listOf(raw['inputs']).map((socket, slot): Json => ({
      ...objectOf(socket),
      link: linkInto.get(keyOf(id, slot)),
    }));
    return { ...raw, id, inputs };
  });
  const bare = readUiGraph(context, { nodes, links }, definitionId);
  const { inputs, entries } = groupInputs(bare, stored);
  inputs.forEach(({ nodeId, input, type }, slot) => {
    const link = links.length;
    links.push([link, inputBoundary, slot, nodeId]);
    const sockets = nodes[Number(nodeId)]?.inputs ?? [];
    const at = sockets.findIndex(({ name }) => name === input);
    if (at < 0) sockets.push({ name: input, type, link, widget: {} });
    else sockets[at] = { ...sockets[at], link: sockets[at]?.['link'] ?? link };
  });
  const outputs = visibleOutputs(bare, stored, inside);
  outputs.forEach(({ nodeId, slot }, at) => links.push([links.length, nodeId, slot, outputBoundary, at]));
  // What is wrong with the nodes is reported by now.
  const silent = { ...context, report: () => undefined };
  return { ...readUiGraph(silent, { nodes, links, inputs, outputs }, definitionId), entries };
};

const keyOf = (node: unknown, slot: unknown): string => `${String(node)} ${Number(slot)}`;

/** Outputs that the group node shows: those that no link inside takes, or that are used outside as well. */
const visibleOutputs = (
  { nodes }: UiGraph,
  stored: Json,
  inside: readonly (readonly unknown[])[],
): readonly { readonly nodeId: string; readonly slot: number; readonly type: unknown }[] => {
  const keysOf = (ends: readonly (readonly unknown[])[]) =>
    new Set(ends.map(([id, slot]) => keyOf(id, slot)));
  const used = keysOf(inside);
  const outside = keysOf(listOf(stored['external']).map(listOf));
  return nodes.flatMap(({ id: nodeId, kind, definition, raw }) => {
    if (kind === 'drop') return [];
    const config = objectOf(objectOf(objectOf(stored['config'])[nodeId])['output']);
    const types = definition?.outputs ?? listOf(raw['outputs']).map((output) => objectOf(output)['type']);
    return types.flatMap((type, slot) => {
      const wish = objectOf(config[slot])['visible'];
      const isFree = !used.has(keyOf(nodeId, slot)) || outside.has(keyOf(nodeId, slot));
      return (typeof wish === 'boolean' ? wish : isFree) ? [{ nodeId, slot, type }] : [];
    });
  });
};
