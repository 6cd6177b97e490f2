import { apiId, type Host, reportOn, type Resolved, type Scope } from './context.js';
import { error, shown, warning } from '../validate/finding.js';
import { bypassInput } from './bypass.js';
import { listOf, objectOf } from '../values.js';
import { inputBoundary, type Socket, type UiLink, type UiNode } from './ui-graph.js';

/** A socket whose source is looked for. */
interface Place {
  readonly scope: Scope;
  readonly node: UiNode;
  readonly socket: Socket | undefined;
}

/** Where one link leads: to what it brings, or to another socket behind a node that passes it on. */
type Step = Place | Resolved;

/**
 * Follows the link of a socket to what feeds it: through reroutes, bypassed nodes, Set and Get nodes and the borders of
 * subgraphs.
 *
 * It keeps what it found for each socket on the way, so that it walks a chain with many consumers once. It reports links that
 * lead nowhere and circles. A muted source brings nothing, as in the editor.
 */
export const resolveLink = (scope: Scope, node: UiNode, socket: Socket): Resolved => {
  let step = follow({ scope, node, socket });
  const trail: Place[] = [];
  while (step && 'socket' in step) {
    const { resolved } = step.scope;
    if (!resolved.has(step.socket)) {
      resolved.set(step.socket, underway);
      trail.push(step);
      step = follow(step);
    } else {
      step = resolved.get(step.socket);
      if (step !== underway) continue;
      reportOn(scope, node, error('link_cycle', 'has an input whose link runs in a circle.'));
      step = undefined;
    }
  }
  for (const passed of trail) passed.scope.resolved.set(passed.socket, step);
  return step;
};

/** Stands for a socket on the way that is being walked. */
const underway: Resolved = { value: undefined };

/** Follows the link of a socket by one node. */
const follow = (place: Place): Step => {
  const id = place.socket?.link;
  if (id === undefined) return byPath(place);
  const link = place.scope.graph.linkOf.get(id);
  return link ? fromOrigin(place, place.scope, link) : reportMissing(place, `link ${id}`);
};

/** Follows a link of a "Use Everywhere" node whose ends are named by their paths from the root, across the borders of subgraphs. */
const byPath = ({ scope, node, socket }: Place): Step => {
  let root = scope;
  while (root.host !== undefined) root = root.host.scope;
  if (root.graph.pathLinks.size === 0 || socket?.name === undefined) return undefined;
  const at = listOf(node.raw['inputs']).findIndex((input) => objectOf(input)['name'] === socket.name);
  const end = root.graph.pathLinks.get(`${apiId(scope, node)} ${at}`);
  if (end === undefined) return undefined;
  const origin = end.path.slice(0, -1).reduce<Scope | undefined>((one, id) => one?.children.get(id), root);
  const originId = end.path.at(-1) ?? '';
  return origin === undefined
    ? reportMissing({ scope, node, socket }, `node ${end.path.join(':')}`)
    : fromOrigin({ scope, node, socket }, origin, {
        originId,
        originSlot: end.slot,
        targetId: '',
        targetSlot: -1,
      });
};

/** Goes from a link to its origin, into subgraphs as deep as it stands. */
const fromOrigin = (place: Place, scope: Scope, { originId, originSlot }: UiLink): Step => {
  if (originId === inputBoundary && scope.host) return outward(scope.host, originSlot);
  const node = scope.graph.nodes.get(originId);
  if (!node) return reportMissing(place, `node ${originId}`);
  if (node.isMuted) return undefined;
  if (node.isBypassed) {
    const want = place.socket?.type ?? '*';
    return { scope, node, socket: bypassInput(node, originSlot, want) };
  }
  switch (node.kind) {
    case 'subgraph':
    case 'group': {
      const inner = scope.children.get(node.id);
      const link = inner?.graph.outputLinkOf.get(originSlot);
      return inner && link && fromOrigin(place, inner, link);
    }
    case 'reroute':
    case 'set':
      return { scope, node, socket: node.sockets[originSlot] };
    case 'get':
      return fromGetNode(place, scope, node);
    case 'primitive':
      return fromPrimitive(place, node);
    case 'drop':
    case 'everywhere':
    case 'editor':
      reportLost(place, node);
      return undefined;
    default:
      return Number.isInteger(originSlot) && originSlot >= 0
        ? { ref: [apiId(scope, node), originSlot] }
        : reportMissing(place, `an output of node ${node.id}`);
  }
};

/** A primitive has written its value into the widgets that it feeds. The input of an instance is no widget, so it takes the value. */
const fromPrimitive = (place: Place, { values: [value] }: UiNode): Step => {
  const feedsInstance = place.node.kind === 'subgraph' || place.node.kind === 'group';
  return feedsInstance && value !== undefined ? { value } : undefined;
};

/** Leaves a subgraph by one of its inputs: to the instance's link, or to its value. */
const outward = ({ scope, node, promoted }: Host, slot: number): Step => {
  const socket = node.sockets[slot];
  if (socket?.link !== undefined) return { scope, node, socket };
  return promoted.has(slot) ? { value: promoted.get(slot) } : undefined;
};

/** A Get node stands for the input of the Set node with its name: in its graph, else in one around it. */
const fromGetNode = (place: Place, scope: Scope, node: UiNode): Step => {
  const [name] = node.values;
  for (let at: Scope | undefined = scope; at; at = at.host?.scope) {
    const set = at.graph.setNodeOf.get(name);
    if (set?.isMuted) return undefined;
    if (set) return { scope: at, node: set, socket: set.sockets[0] };
  }
  return reportMissing(place, `Set node ${shown(name)}`);
};

/** What only shows something, or makes values in the editor, has no output that a server could take. */
const reportLost = ({ scope, node, socket }: Place, origin: UiNode): void => {
  const message = `is linked to node ${origin.id} (${origin.type}), which only the editor has: it takes nothing from it.`;
  if (node.kind === 'class') reportOn(scope, node, warning('unused_link', message), socket?.name);
};

const reportMissing = ({ scope, node, socket }: Place, what: string): Step => {
  reportOn(
    scope,
    node,
    error('missing_source', `takes its value from ${what}, which the file lacks.`),
    socket?.name,
  );
  return undefined;
};
