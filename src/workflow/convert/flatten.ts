import { type Context, type Host, type Overrides, reportOn, type Scope } from './context.js';
import { error } from '../validate/finding.js';
import type { GroupNode } from './group-links.js';
import { groupName } from './node-kind.js';
import { groupOverrides } from './group-values.js';
import { hostSockets } from './host-sockets.js';
import { promotedValues } from './promoted-values.js';
import { reportUnusedLinks } from './unused-links.js';
import type { UiGraph, UiNode } from './ui-graph.js';

/** A node that the API format has, and where it stands. */
export interface PlacedNode {
  readonly scope: Scope;
  readonly node: UiNode;
}

/** What a file unfolds to. */
export interface Flattened {
  readonly root: Scope;
  readonly placed: readonly PlacedNode[];
}

/** Deeper than any file that people make. */
const deepest = 64;

/** What subgraphs may unfold to: a definition that holds two of the next one, twenty times, would fill the memory. */
const mostNodes = 100_000;

/**
 * Unfolds the instances of subgraphs and group nodes, and lists the nodes that run. Muted and bypassed ones, with all that is
 * inside them, and the editor's own are not among them.
 */
export const flatten = (context: Context): Flattened => {
  const root = newScope(context.root, context.writtenIn(context.root));
  const scopes = [root];
  const placed: PlacedNode[] = [];
  let unfolded = 0;
  const checked = new Set<UiGraph>();
  for (const scope of scopes) {
    if (!checked.has(scope.graph)) reportUnusedLinks(context, scope);
    checked.add(scope.graph);
    for (const node of scope.graph.nodes) {
      if (node.isMuted || node.isBypassed) continue;
      if (node.kind === 'subgraph' || node.kind === 'group') {
        const inner = unfold(context, scope, node);
        if (inner === undefined) continue;
        unfolded += inner.graph.nodes.length + 1;
        if (unfolded > mostNodes) {
          const message = `unfolds the workflow to more than ${mostNodes} nodes.`;
          reportOn(context, scope, node, error('too_many_nodes', message));
          return { root, placed: [] };
        }
        scopes.push(inner);
      } else if (reportsOrRuns(context, scope, node)) {
        placed.push({ scope, node });
      }
    }
  }
  return { root, placed };
};

/** Whether a node runs; reports what only the editor itself could convert. */
const reportsOrRuns = (context: Context, scope: Scope, node: UiNode): boolean => {
  if (node.kind === 'everywhere' || node.kind === 'editor') {
    const what = node.kind === 'editor' ? 'values' : 'links';
    const message = `has ${what} that only the editor can make: export the API format there.`;
    reportOn(context, scope, node, error(`${what}_made_by_editor`, message));
  }
  return node.kind === 'class';
};

const newScope = (graph: UiGraph, overrides: Overrides, host?: Host): Scope => {
  const path = host === undefined ? [] : [...host.scope.path, host.node.id];
  return {
    graph,
    path,
    prefix: path.map((id) => `${id}:`).join(''),
    ...(host && { host }),
    overrides,
    children: new Map(),
  };
};

/** Makes the scope inside an instance; undefined, with a problem, where there is none. */
const unfold = (context: Context, scope: Scope, node: UiNode): Scope | undefined => {
  const group = node.kind === 'group' ? groupOf(context, scope, node) : undefined;
  const graph = group?.graph ?? context.subgraphOf(node.type);
  if (graph === undefined) return undefined;
  if (scope.path.length >= deepest || isInside(scope, graph)) {
    const message = `holds itself, or is nested deeper than ${deepest} levels.`;
    reportOn(context, scope, node, error('recursive_subgraph', message));
    return undefined;
  }
  const { promoted, overrides } =
    group === undefined
      ? promotedValues(context, scope, node, graph)
      : { promoted: new Map<number, unknown>(), overrides: groupOverrides(node, group) };
  const inner = newScope(graph, merged(context.writtenIn(graph), overrides), {
    scope,
    node,
    sockets: hostSockets(node, graph),
    promoted,
  });
  scope.children.set(node.id, inner);
  return inner;
};

const groupOf = (context: Context, scope: Scope, node: UiNode): GroupNode | undefined => {
  const name = groupName(node.type) ?? '';
  if (groupName(scope.graph.definitionId) !== undefined) {
    const message = 'is a group node inside a group node.';
    reportOn(context, scope, node, error('nested_group_node', message));
    return undefined;
  }
  const group = context.groupOf(name);
  if (group === undefined) {
    const message = `is a group node that the file does not define.`;
    reportOn(context, scope, node, error('missing_group_node', message));
  }
  return group;
};

const isInside = (scope: Scope, graph: UiGraph): boolean => {
  for (let at: Scope | undefined = scope; at !== undefined; at = at.host?.scope) {
    if (at.graph.definitionId === graph.definitionId) return true;
  }
  return false;
};

const merged = (written: Overrides, given: Overrides): Overrides => {
  if (given.size === 0) return written;
  const all = new Map(written);
  for (const [id, overrides] of given) all.set(id, [...(written.get(id) ?? []), ...overrides]);
  return all;
};
