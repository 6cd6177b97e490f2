import { idOf, type Json, listOf, objectOf } from '../values.js';
import { inputBoundary, outputBoundary, type PathEnd } from './ui-graph.js';
import type { Scope } from './context.js';
import type { Problem } from '../../core/protocol/problem.js';
import { problemOf, warning } from '../validate/finding.js';

/** The links that "Use Everywhere" nodes made when the editor saved a graph; undefined if the file has no list of them. */
export const everywhereLinks = (graph: Json): readonly Json[] | undefined => {
  const links = objectOf(graph['extra'])['ue_links'];
  return Array.isArray(links) ? links.map(objectOf) : undefined;
};

/** The links whose ends are named by paths, such as `8:5`, by the path of the target and its input as the file counts them. */
export const pathLinksIn = (graph: Json): ReadonlyMap<string, PathEnd> =>
  new Map(
    (everywhereLinks(graph) ?? []).flatMap((link) => {
      const { downstream, downstream_slot: slot, upstream, upstream_slot: origin } = link;
      const [target, source] = [idOf(downstream), idOf(upstream)];
      return isPath(link) && target !== undefined && source !== undefined
        ? [[`${target} ${idOf(slot)}`, { path: source.split(':'), slot: Number(idOf(origin)) }] as const]
        : [];
    }),
  );

/**
 * A graph with the links that its "Use Everywhere" nodes made; an input that has a link of its own keeps it. An end may be the border of a
 * subgraph.
 */
export const withEverywhereLinks = (graph: Json, report: (problem: Problem) => void): Json => {
  const made = (everywhereLinks(graph) ?? []).filter((link) => !isPath(link));
  if (made.length === 0) return graph;
  const nodes = listOf(graph['nodes']).map(objectOf);
  const links: unknown[] = [];
  const sockets = new Map(nodes.map((node) => [idOf(node['id']), listOf(node['inputs']).map(objectOf)]));
  const free = freeOutputs(graph);
  for (const { downstream, downstream_slot: slot, upstream, upstream_slot: origin } of made) {
    const id = idOf(downstream);
    const inputs = sockets.get(id);
    const at = Number(idOf(slot));
    const link = `everywhere ${links.length}`;
    const isKnown = sockets.has(idOf(upstream)) || idOf(upstream) === inputBoundary;
    const output = id === outputBoundary ? free[at] : undefined;
    const socket = inputs?.[at];
    if (!isKnown || (output === undefined && socket === undefined)) report(lostEnd(id, idOf(upstream)));
    else if (output !== undefined) {
      links.push([link, upstream, origin, downstream, output]);
    } else if (inputs !== undefined && (socket?.['link'] ?? undefined) === undefined) {
      links.push([link, upstream, origin, downstream, slot]);
      inputs[at] = { ...socket, link };
    }
  }
  return {
    ...graph,
    nodes: nodes.map((node) => ({ ...node, inputs: sockets.get(idOf(node['id'])) })),
    links: [...listOf(graph['links']), ...links],
  };
};

/** Reports the links by paths whose target the file lacks; what does not run needs none. */
export const reportLostPaths = (root: Scope): void => {
  for (const [key, { path }] of root.graph.pathLinks) {
    const [target = '', slot] = key.split(' ');
    const steps = target.split(':');
    let scope: Scope | undefined = root;
    let isLost = false;
    for (const [at, id] of steps.entries()) {
      const node = scope.graph.nodes.get(id);
      const isLast = at === steps.length - 1;
      const inner: Scope | undefined = scope.children.get(id);
      isLost =
        node === undefined ||
        (isLast
          ? listOf(node.raw['inputs'])[Number(slot)] === undefined
          : inner === undefined && !node.isMuted && !node.isBypassed);
      if (inner === undefined) break;
      scope = inner;
    }
    if (isLost) root.context.report(lostEnd(target, path.join(':')));
  }
};

/** Of a link one of whose ends the file lacks. */
const lostEnd = (id: string | undefined, origin: string | undefined): Problem => {
  const message = `of a "Use Everywhere" node from node ${origin} has an end that the file lacks: it is left out.`;
  return problemOf({ id: id ?? '?', className: 'link' }, warning('unused_link', message));
};

const isPath = ({ downstream, upstream }: Json): boolean =>
  [downstream, upstream].some((id) => idOf(id)?.includes(':') === true);

/** The outputs of a subgraph that nothing feeds, which is how these links count them. */
const freeOutputs = (graph: Json): readonly number[] => {
  const taken = new Set(
    listOf(graph['links']).flatMap((item) => {
      const { target_id: target, target_slot: slot } = objectOf(item);
      return idOf(target) === outputBoundary ? [Number(idOf(slot))] : [];
    }),
  );
  return [...listOf(graph['outputs']).keys()].filter((slot) => !taken.has(slot));
};
