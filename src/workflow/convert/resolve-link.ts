import { apiId, reportOn, type Resolved, type Scope } from './context.js';
import { error } from '../validate/finding.js';
import { bypassInput } from './bypass.js';
import { inputBoundary, type Socket, type UiLink, type UiNode } from './ui-graph.js';
import { listOf } from '../values.js';

/** A socket whose source is looked for. */
interface Place {
  readonly scope: Scope;
  readonly node: UiNode;
  readonly socket: Socket | undefined;
}

/** Where one link leads: to a result, or to another socket behind a node that passes it on. */
type Step = { readonly result: Resolved } | { readonly next: Place };

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
  while ('next' in step) {
    const { next } = step;
    const { resolved } = next.scope;
    const known = resolved.get(next.socket);
    if (known === underway) {
      reportOn(scope, node, error('link_cycle', 'has an input whose link runs in a circle.'));
      step = nothing;
    } else if (resolved.has(next.socket)) {
      step = { result: known };
    } else {
      resolved.set(next.socket, underway);
      trail.push(next);
      step = follow(next);
    }
  }
  for (const passed of trail) passed.scope.resolved.set(passed.socket, step.result);
  return step.result;
};

/** Stands for a socket on the way that is being walked. */
const underway: Resolved = { value: undefined };

const nothing: Step = { result: undefined };

/** Follows the link of a socket by one node. */
const follow = (place: Place): Step => {
  const id = place.socket?.link;
  if (id === undefined) return nothing;
  const link = place.scope.graph.linkOf.get(id);
  return link === undefined ? reportMissing(place, `link ${id}`) : fromOrigin(place, link);
};

/** Goes from a link to its origin, into subgraphs as deep as it stands. */
const fromOrigin = (place: Place, first: UiLink): Step => {
  let { scope } = place;
  let link = first;
  for (;;) {
    if (link.originId === inputBoundary && scope.host !== undefined)
      return outward(scope.host, link.originSlot);
    const node = scope.graph.nodeOf.get(link.originId);
    if (node === undefined) return reportMissing(place, `node ${link.originId}`);
    if (node.isMuted) return nothing;
    if (node.isBypassed) {
      const want = place.socket?.type ?? '*';
      return { next: { scope, node, socket: bypassInput(scope.context, node, link.originSlot, want) } };
    }
    if (node.kind !== 'subgraph' && node.kind !== 'group') return fromNode(place, scope, node, link);
    const inner = scope.children.get(node.id);
    const innerLink = inner?.graph.outputLinkOf.get(link.originSlot);
    if (inner === undefined || innerLink === undefined) return nothing;
    scope = inner;
    link = innerLink;
  }
};

/** Leaves a subgraph by one of its inputs: to the instance's link, or to its value. */
const outward = ({ scope, node, sockets, promoted }: NonNullable<Scope['host']>, slot: number): Step => {
  const socket = sockets[slot];
  if (socket?.link !== undefined) return { next: { scope, node, socket } };
  return promoted.has(slot) ? { result: { value: promoted.get(slot) } } : nothing;
};

const fromNode = (place: Place, scope: Scope, node: UiNode, link: UiLink): Step => {
  switch (node.kind) {
    case 'reroute':
    case 'set':
      return { next: { scope, node, socket: node.sockets[link.originSlot] } };
    case 'get':
      return fromGetNode(place, scope, node);
    case 'primitive': {
      // It has written its value into the widgets that it feeds. The input of an instance is no widget, so it takes the value.
      const feedsInstance = place.node.kind === 'subgraph' || place.node.kind === 'group';
      const [value] = listOf(node.raw['widgets_values']);
      return feedsInstance && value !== undefined ? { result: { value } } : nothing;
    }
    case 'drop':
    case 'everywhere':
      return nothing;
    default:
      return Number.isInteger(link.originSlot) && link.originSlot >= 0
        ? { result: { ref: [apiId(scope, node), link.originSlot] } }
        : reportMissing(place, `an output of node ${node.id}`);
  }
};

/** A Get node stands for the input of the Set node with its name: in its graph, else in one around it. */
const fromGetNode = (place: Place, scope: Scope, node: UiNode): Step => {
  const [name] = listOf(node.raw['widgets_values']);
  for (let at: Scope | undefined = scope; at !== undefined; at = at.host?.scope) {
    const set = at.graph.setNodeOf.get(name);
    if (set?.isMuted === true) return nothing;
    if (set !== undefined) return { next: { scope: at, node: set, socket: set.sockets[0] } };
  }
  return reportMissing(place, `Set node "${String(name)}"`);
};

const reportMissing = ({ scope, node, socket }: Place, what: string): Step => {
  const message = `has an input linked to ${what}, which the file lacks.`;
  reportOn(scope, node, error('missing_source', message), socket?.name);
  return nothing;
};
