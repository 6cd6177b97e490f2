import { idOf, type Json, listOf, objectOf } from '../values.js';
import type { Problem } from '../../protocol/problem.js';
import { problemOf, warning } from '../validate/finding.js';

/** The links that "Use Everywhere" nodes made when the editor saved a graph; undefined where the file has no list of them. */
export const everywhereLinks = (graph: Json): readonly Json[] | undefined => {
  const links = objectOf(graph['extra'])['ue_links'];
  return Array.isArray(links) ? links.map(objectOf) : undefined;
};

/** A graph with the links that its "Use Everywhere" nodes made; an input that has a link of its own keeps it. */
export const withEverywhereLinks = (graph: Json, report: (problem: Problem) => void): Json => {
  const made = everywhereLinks(graph) ?? [];
  if (made.length === 0) return graph;
  const nodes = listOf(graph['nodes']).map(objectOf);
  const links: unknown[] = [];
  const sockets = new Map(nodes.map((node) => [idOf(node['id']), listOf(node['inputs']).map(objectOf)]));
  for (const { downstream, downstream_slot: slot, upstream, upstream_slot: origin } of made) {
    const id = idOf(downstream);
    const inputs = sockets.get(id);
    const at = Number(idOf(slot));
    const socket = inputs?.[at];
    if (inputs === undefined || socket === undefined || !sockets.has(idOf(upstream))) {
      const message = `of a "Use Everywhere" node from node ${idOf(upstream)} has an end that the file lacks: it is left out.`;
      report(problemOf({ id: id ?? '?', className: 'link' }, warning('unused_link', message)));
    } else if ((socket['link'] ?? undefined) === undefined) {
      const link = `everywhere ${links.length}`;
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
