import { apiId, type Context, reportOn, type Scope } from './context.js';
import { error } from '../validate/finding.js';
import { bypassInput } from './bypass.js';
import { inputBoundary, linkIdOf, socketsOf, type UiLink, type UiNode } from './ui-graph.js';
import { inputTypeOf } from './socket-type.js';
import { kept } from '../kept.js';
import { listOf, objectOf } from './values.js';

/** What a link brings to an input: the output of a node, the value of a promoted widget, or nothing. */
export type Resolved =
  { readonly ref: readonly [nodeId: string, slot: number] } | { readonly value: unknown } | undefined;

/** Follows the link of a socket to what feeds it. */
export type ResolveLink = (scope: Scope, consumer: UiNode, socket: unknown) => Resolved;

/** A socket whose source is looked for. */
interface Place {
  readonly scope: Scope;
  readonly node: UiNode;
  readonly socket: unknown;
}

/** Where one link leads: to a result, or to another socket behind a node that passes it on. */
type Step = { readonly result: Resolved } | { readonly next: Place };

/**
 * Makes the function that follows links through reroutes, bypassed nodes, Set and Get nodes and the borders of subgraphs.
 *
 * It keeps what it found for each link on the way, so that it walks a chain with many consumers once. It reports links that
 * lead nowhere and circles. A muted source brings nothing, as in the editor.
 */
export const linkResolver = (context: Context): ResolveLink => {
  const found = new Map<Scope, Map<string, Resolved>>();

  return (scope, consumer, socket) => {
    let place: Place = { scope, node: consumer, socket };
    let step = follow(context, place);
    if ('result' in step) return step.result;
    const trail: (() => void)[] = [];
    const visited = new Set<string>();
    let result: Resolved;
    for (;;) {
      place = step.next;
      const key = `${linkIdOf(place.socket) ?? ''} ${inputTypeOf(context, place.node, place.socket)}`;
      const known = kept(found, place.scope, () => new Map<string, Resolved>());
      if (known.has(key)) {
        result = known.get(key);
        break;
      }
      const visit = `${place.scope.prefix} ${key}`;
      if (visited.has(visit)) {
        reportOn(context, scope, consumer, error('link_cycle', 'has an input whose link runs in a circle.'));
        break;
      }
      visited.add(visit);
      trail.push(() => known.set(key, result));
      step = follow(context, place);
      if ('result' in step) {
        result = step.result;
        break;
      }
    }
    for (const keep of trail) keep();
    return result;
  };
};

const nothing: Step = { result: undefined };

/** Follows the link of a socket by one node. */
const follow = (context: Context, place: Place): Step => {
  const linkId = linkIdOf(place.socket);
  if (linkId === undefined) return nothing;
  const link = place.scope.graph.linkOf.get(linkId);
  return link === undefined
    ? reportMissing(context, place, `link ${linkId}`)
    : fromOrigin(context, place, link);
};

/** Goes from a link to its origin, into subgraphs as deep as it stands. */
const fromOrigin = (context: Context, place: Place, first: UiLink): Step => {
  let { scope } = place;
  let link = first;
  for (;;) {
    if (link.originId === inputBoundary && scope.host !== undefined)
      return outward(scope.host, link.originSlot);
    const node = scope.graph.nodeOf.get(link.originId);
    if (node === undefined) return reportMissing(context, place, `node ${link.originId}`);
    if (node.isMuted) return nothing;
    if (node.isBypassed) {
      const want = inputTypeOf(context, place.node, place.socket);
      return { next: { scope, node, socket: bypassInput(context, node, link.originSlot, want) } };
    }
    if (node.kind !== 'subgraph' && node.kind !== 'group') return fromNode(context, place, scope, node, link);
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
  if (linkIdOf(socket) !== undefined) return { next: { scope, node, socket } };
  return promoted.has(slot) ? { result: { value: promoted.get(slot) } } : nothing;
};

const fromNode = (context: Context, place: Place, scope: Scope, node: UiNode, link: UiLink): Step => {
  switch (node.kind) {
    case 'reroute':
    case 'set':
      return { next: { scope, node, socket: socketsOf(node)[link.originSlot] } };
    case 'get':
      return fromGetNode(context, place, scope, node);
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
        : reportMissing(context, place, `an output of node ${node.id}`);
  }
};

/** A Get node stands for the input of the Set node with its name: in its graph, else in one around it. */
const fromGetNode = (context: Context, place: Place, scope: Scope, node: UiNode): Step => {
  const [name] = listOf(node.raw['widgets_values']);
  for (let at: Scope | undefined = scope; at !== undefined; at = at.host?.scope) {
    const set = at.graph.setNodeOf.get(name);
    if (set?.isMuted === true) return nothing;
    if (set !== undefined) return { next: { scope: at, node: set, socket: socketsOf(set)[0] } };
  }
  return reportMissing(context, place, `Set node "${String(name)}"`);
};

const reportMissing = (context: Context, { scope, node, socket }: Place, what: string): Step => {
  const { name } = objectOf(socket);
  const message = `has an input linked to ${what}, which the file lacks.`;
  reportOn(context, scope, node, error('missing_source', message), name);
  return nothing;
};
