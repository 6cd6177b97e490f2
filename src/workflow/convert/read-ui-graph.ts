import { counted } from '../../core/protocol/counted.js';
import { duplicateId, type Context } from './context.js';
import { error, type Finding, problemOf, shown, warning } from '../validate/finding.js';
import { idOf, type Json, listOf, objectOf } from '../values.js';
import { outputBoundary, type UiGraph, type UiLink, type UiNode } from './ui-graph.js';
import { readNode } from './read-node.js';
import { everywhereLinks, pathLinksIn, withEverywhereLinks } from './everywhere.js';

/** Reads the nodes and links of a graph; what is no node is an error, as it can't be converted. */
export const readUiGraph = (context: Context, file: Json): UiGraph => {
  const raw = withEverywhereLinks(file, context.report);
  const nodes = new Map<string, UiNode>();
  for (const item of listOf(raw['nodes'])) {
    const node = readNode(context, objectOf(item));
    if (!node) context.report(error('invalid_node', 'An entry of "nodes" has no id or no type.'));
    else addNode(context, nodes, node);
  }
  const all = [...nodes.values()].toReversed();
  const linkOf = readLinks(raw['links'], context.report);
  const consumerOf: UiGraph['consumerOf'] = new Map(
    all.flatMap((node) =>
      node.sockets
        .filter(({ link }) => link !== undefined)
        .map((socket) => [socket.link, { node, socket }] as const),
    ),
  );
  const links = [...linkOf];
  const outputLinks = links.map(([, link]) => link).filter(({ targetId }) => targetId === outputBoundary);
  return {
    nodes,
    linkOf,
    consumerOf,
    feeding: new Set(links.flatMap(([id, { originId }]) => (consumerOf.has(id) ? [originId] : []))),
    outputLinkOf: new Map(outputLinks.map((link) => [link.targetSlot, link])),
    setNodeOf: setNodesOf(context, nodes),
    controllers: controllersIn(file),
    pathLinks: pathLinksIn(file),
    entries: raw['entries'],
    visibleEntries: raw['visibleEntries'],
  };
};

/** Nodes of one id are an error, but for notes: of such a one and another node that one counts. */
const addNode = ({ report }: Context, nodes: Map<string, UiNode>, node: UiNode): void => {
  const known = nodes.get(node.id);
  const isNote = node.kind === 'drop';
  if (known !== undefined && !isNote && known.kind !== 'drop')
    report(problemOf({ id: node.id, className: node.type }, duplicateId()));
  else {
    const real = isNote ? known : node;
    if (known !== undefined && real !== undefined && real.kind !== 'drop')
      report(problemOf({ id: real.id, className: real.type }, sharedId));
    if (known === undefined || !isNote) nodes.set(node.id, node);
  }
};

const sharedId = warning(
  'duplicate_node_id',
  'shares its id with a note: links of that id are taken for its own.',
);

/** Set nodes by their name, of which the first one counts, as in the editor. */
const setNodesOf = (
  { report }: Context,
  nodes: ReadonlyMap<string, UiNode>,
): ReadonlyMap<unknown, UiNode> => {
  const named = new Map<unknown, UiNode>();
  for (const node of nodes.values()) {
    if (node.kind !== 'set' || node.values.length === 0) continue;
    const [name] = node.values;
    const first = named.get(name);
    if (first === undefined) named.set(name, node);
    else report(problemOf({ id: node.id, className: node.type }, secondSet(name, first)));
  }
  return named;
};

const secondSet = (name: unknown, { id, isMuted }: UiNode): Finding =>
  warning(
    'duplicate_set_node',
    `has the name ${shown(name)} of node ${id}: Get nodes of that name take ${isMuted ? 'nothing, as that one is muted' : 'what that one has'}.`,
  );

const controllersIn = (file: Json): ReadonlySet<unknown> | undefined => {
  const links = everywhereLinks(file);
  return links && new Set(links.map(({ controller }) => idOf(controller)));
};

/** Links by id; entries that are not links (`null` happens) are left out with a warning, and a node that names one of them is a problem. */
const readLinks = (links: unknown, report: Context['report']): ReadonlyMap<string, UiLink> => {
  const linkOf = new Map<string, UiLink>();
  let left = 0;
  for (const item of listOf(links)) {
    const link = objectOf(item);
    const members: readonly unknown[] = Array.isArray(item) ? item : linkMembers.map((name) => link[name]);
    const [id, originId, originSlot, targetId, targetSlot] = members;
    const key = idOf(id);
    const origin = idOf(originId);
    if (key === undefined || origin === undefined) {
      left += 1;
      continue;
    }
    linkOf.set(key, {
      originId: origin,
      originSlot: Number(idOf(originSlot)),
      targetId: idOf(targetId) ?? '',
      targetSlot: Number(idOf(targetSlot)),
    });
  }
  if (left > 0) {
    const message = `${counted(left, 'value')} of "links" ${left === 1 ? 'is' : 'are'} no link: left out.`;
    report(warning('invalid_link', message));
  }
  return linkOf;
};

const linkMembers = ['id', 'origin_id', 'origin_slot', 'target_id', 'target_slot'];
