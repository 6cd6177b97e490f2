import type { Context } from './context.js';
import { groupParts, inputNamer, type ShownPart } from './group-inputs.js';
import { idOf, type Json, listOf, objectOf, textOf } from '../values.js';
import { inputBoundary, outputBoundary, type UiNode } from './ui-graph.js';
import { readNode, slotType } from './read-node.js';

/**
 * Rewrites the definition of a group node, which editors had before subgraphs, as the definition of the subgraph that it would
 * be: its inputs and outputs become links to the boundaries. Ids are the indices of its nodes.
 *
 * With them come `entries`: the widgets that the entries of `widgets_values` belong to, in the form of `proxyWidgets`; control
 * words and buttons have empty entries. `visibleEntries` are those of a file that leaves hidden widgets out.
 */
export const asSubgraph = (context: Context, stored: Json): Json => {
  const ends = listOf(stored['links']).map(listOf);
  const links = ends
    .filter(([origin, , target]) => idOf(origin) !== undefined && idOf(target) !== undefined)
    .map((link, id): unknown[] => [id, ...link]);
  // The first link into a socket counts; the ids of links in the file mean nothing here.
  const linkInto = new Map(links.map(([id, , , ...target]) => [keyOf(target), id] as const).toReversed());
  /** The type of what leaves a node, else of what enters it. */
  const typeAt = new Map(
    [2, 0].flatMap((end) => ends.map((link) => [idOf(link[end]), slotType(link[5])] as const)),
  );
  // Outputs show that no link inside takes, or that are used outside as well.
  const taken = new Set(links.map(([, ...origin]) => keyOf(origin)));
  for (const output of listOf(stored['external'])) taken.delete(keyOf(listOf(output)));

  const inputs: Json[] = [];
  const outputs: Json[] = [];
  const entries: unknown[] = [];
  const parts: GroupPart[] = [];
  const last: GroupPart[] = [];
  const nodes = listOf(stored['nodes']).map((item, id) => {
    const raw: Json = objectOf(item);
    const config = objectOf(objectOf(stored['config'])[id]);
    const sockets = listOf(raw['inputs']).map((socket, slot): StoredSocket => ({
      ...objectOf(socket),
      link: linkInto.get(keyOf([id, slot])),
    }));
    const completed = { ...raw, id, inputs: sockets };
    const node = readNode(context, completed);
    if (!node || node.kind === 'drop') return completed;
    for (const part of groupParts(node, typeAt.get(node.id)))
      (part.isLast ? last : parts).push({ ...part, node, sockets, config });
    node.outputs.forEach((type, slot) => {
      const wish = objectOf(objectOf(config['output'])[slot])['visible'];
      if (typeof wish === 'boolean' ? !wish : taken.has(keyOf([id, slot]))) return;
      links.push([links.length, id, slot, outputBoundary, outputs.length]);
      outputs.push({ type });
    });
    return completed;
  });

  const nameOf = inputNamer();
  const hidden: (readonly [start: number, end: number])[] = [];
  for (const part of [...parts, ...last]) {
    const { node, sockets, config, input, type, label = input } = part;
    const entry = entries.length;
    entries.length += part.entries;
    if (input === undefined || label === undefined) continue;
    const socket = sockets.find(({ name }) => name === input);
    const wish = objectOf(objectOf(config['input'])[label]);
    const link = links.length;
    links.push([link, inputBoundary, inputs.length, node.id]);
    inputs.push({
      name: nameOf(node, label, textOf(wish['name']) || textOf(socket?.['label']) || label),
      type,
    });
    if (!socket) sockets.push({ name: input, type, link, widget: {} });
    else socket.link ??= link;
    if (part.entries > 0) entries[entry] = [node.id, input];
    if (wish['visible'] === false) hidden.push([entry, entries.length]);
  }
  const visibleEntries = Array.from(entries).filter(
    (_, at) => !hidden.some(([start, end]) => at >= start && at < end),
  );
  return { nodes, links, inputs, outputs, entries, visibleEntries };
};

/** A socket of a stored node. */
interface StoredSocket extends Json {
  link?: unknown;
}

/** A part, and the node that shows it. */
interface GroupPart extends ShownPart {
  readonly node: UiNode;
  readonly sockets: StoredSocket[];
  readonly config: Json;
}

/** The end of a link: a node and its slot. */
const keyOf = ([node, slot]: readonly unknown[]): string => `${idOf(node)} ${idOf(slot)}`;
