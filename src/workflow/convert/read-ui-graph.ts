import { duplicateId, type Context } from './context.js';
import { error, problemOf } from '../validate/finding.js';
import { idOf, type Json, listOf, objectOf } from '../values.js';
import { outputBoundary, type UiGraph, type UiLink, type UiNode } from './ui-graph.js';
import { readNode } from './read-node.js';
import { everywhereLinks, withEverywhereLinks } from './everywhere.js';

/** Reads the nodes and links of a graph; what is no node is an error, as it can't be converted. */
export const readUiGraph = (context: Context, file: Json): UiGraph => {
  const raw = withEverywhereLinks(file, context.report);
  const nodes = new Map<string, UiNode>();
  for (const item of listOf(raw['nodes'])) {
    const node = readNode(context, objectOf(item));
    if (!node) context.report(error('invalid_node', 'An entry of "nodes" has no id or no type.'));
    else if (node.kind === 'drop' && nodes.has(node.id)) continue;
    else if (nodes.has(node.id) && nodes.get(node.id)?.kind !== 'drop')
      context.report(problemOf({ id: node.id, className: node.type }, duplicateId()));
    else nodes.set(node.id, node);
  }
  const all = [...nodes.values()].toReversed();
  const linkOf = readLinks(raw['links']);
  const outputLinks = [...linkOf.values()].filter(({ targetId }) => targetId === outputBoundary);
  return {
    nodes,
    linkOf,
    consumerOf: new Map(all.flatMap((node) => node.sockets.map((socket) => [socket.link, { node, socket }]))),
    outputLinkOf: new Map(outputLinks.map((link) => [link.targetSlot, link])),
    // The first one of a name counts.
    setNodeOf: new Map(
      all
        .filter(({ kind, values }) => kind === 'set' && values.length > 0)
        .map((node) => [node.values[0], node]),
    ),
    controllers: controllersIn(file),
    entries: raw['entries'],
    visibleEntries: raw['visibleEntries'],
  };
};

const controllersIn = (file: Json): ReadonlySet<unknown> | undefined => {
  const links = everywhereLinks(file);
  return links && new Set(links.map(({ controller }) => idOf(controller)));
};

/** Links by id; entries that are none (`null` happens) are left out, so a node that names one of them is a problem. */
const readLinks = (links: unknown): ReadonlyMap<string, UiLink> => {
  const linkOf = new Map<string, UiLink>();
  for (const item of listOf(links)) {
    const link = objectOf(item);
    const members: readonly unknown[] = Array.isArray(item) ? item : linkMembers.map((name) => link[name]);
    const [id, originId, originSlot, targetId, targetSlot] = members;
    const key = idOf(id);
    const origin = idOf(originId);
    if (key === undefined || origin === undefined) continue;
    linkOf.set(key, {
      originId: origin,
      originSlot: Number(idOf(originSlot)),
      targetId: idOf(targetId) ?? '',
      targetSlot: Number(idOf(targetSlot)),
    });
  }
  return linkOf;
};

const linkMembers = ['id', 'origin_id', 'origin_slot', 'target_id', 'target_slot'];
