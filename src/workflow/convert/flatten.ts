import { type Context, type Host, type Override, reportOn, type Scope } from './context.js';
import { error, warning } from '../validate/finding.js';
import { reportLostPaths } from './everywhere.js';
import { promotedValues } from './promoted-values.js';
import { reportUnusedLinks } from './unused-links.js';
import type { UiGraph, UiNode } from './ui-graph.js';
import type { Steps } from '../../core/protocol/steps.js';
import { writePrimitives } from './primitives.js';

/** A node that the API format has, and where it stands. */
export interface PlacedNode {
  readonly scope: Scope;
  readonly node: UiNode;
}

/** Deeper than any file that people make. */
const deepest = 64;

/** What subgraphs may unfold to: a definition that holds two of the next one, twenty times, would fill the memory. */
const maxNodes = 100_000;

/**
 * Unfolds the instances of subgraphs and group nodes, and lists the nodes that run. Muted and bypassed ones, with all that is
 * inside them, and the editor's own are not among them.
 */
export function* flatten(context: Context, root: UiGraph): Steps<readonly PlacedNode[]> {
  const rootScope = newScope(context, root);
  const scopes = [rootScope];
  const placed: PlacedNode[] = [];
  let unfolded = 0;
  const checked = new Set<UiGraph>();
  for (const scope of scopes) {
    if (!checked.has(scope.graph)) reportUnusedLinks(scope);
    checked.add(scope.graph);
    yield;
    for (const node of scope.graph.nodes.values()) {
      if (node.isMuted || node.isBypassed) continue;
      if (node.kind === 'subgraph' || node.kind === 'group') {
        const inner = unfold(scope, node);
        if (!inner) continue;
        unfolded += inner.graph.nodes.size + 1;
        if (unfolded > maxNodes) {
          reportOn(
            scope,
            node,
            error('too_many_nodes', `unfolds the workflow to more than ${maxNodes} nodes.`),
          );
          return [];
        }
        scopes.push(inner);
        continue;
      }
      if (node.kind === 'class') placed.push({ scope, node });
      if (node.kind === 'primitive') reportUnused(scope, node);
      if (isMadeByEditor(scope, node)) reportMadeByEditor(scope, node);
    }
  }
  reportLostPaths(rootScope);
  return placed;
}

/** A class of the server that "Use Everywhere" links to each seed that has no link. */
const seedSender = 'Seed Everywhere';

/** Its editor splits its outputs, or copies what is before it, when it queues: in two of its modes. */
const repeater = 'Repeater|pysssss';

/** Whether the editor alone can make what a node gives to others. */
const isMadeByEditor = ({ graph }: Scope, { kind, type, values }: UiNode): boolean => {
  if (kind !== 'class') return kind === 'everywhere' || kind === 'editor';
  if (type === seedSender) return graph.controllers === undefined;
  return type === repeater && values.some((value) => value === 'multi' || value === 'create');
};

/** A primitive whose value reaches no widget. */
const reportUnused = (scope: Scope, node: UiNode): void => {
  if (!scope.graph.feeding.has(node.id) && node.values.length > 0 && node.values[0] !== null)
    reportOn(scope, node, warning('unused_values', 'feeds no input: its value is not sent.'));
};

const newScope = (
  context: Context,
  graph: UiGraph,
  host?: Host,
  overrides: Map<string, Override[]> = new Map(),
): Scope => {
  writePrimitives(graph, overrides);
  const path = host ? [...host.scope.path, host.node.id] : [];
  return { context, graph, path, host, overrides, children: new Map(), resolved: new Map() };
};

/** Reports values and links that the editor makes when it queues, unless the file has the links. */
const reportMadeByEditor = (scope: Scope, node: UiNode): void => {
  const { controllers } = scope.graph;
  const what = node.kind === 'editor' ? 'values' : 'links';
  const isSaved = node.kind === 'everywhere' && controllers !== undefined;
  if (isSaved && controllers.has(node.id)) return;
  const isLinked = node.sockets.some(({ link }) => link !== undefined);
  if (isSaved && isLinked)
    reportOn(
      scope,
      node,
      warning('unused_link', 'feeds nothing: the links that the file has name others only.'),
    );
  if (isSaved) return;
  const message = `has ${what} that only the editor can make: export the API format there.`;
  reportOn(scope, node, error(`${what}_made_by_editor`, message));
};

/** Makes the scope inside an instance of a subgraph; undefined, with a problem, if the subgraph is not defined. */
const unfold = (scope: Scope, node: UiNode): Scope | undefined => {
  const { context, path } = scope;
  const graph = context.graphIn(node);
  const fault =
    node.kind === 'group' && scope.host?.node.kind === 'group'
      ? error('nested_group_node', 'is a group node inside a group node.')
      : path.length >= deepest || isInside(scope, graph)
        ? error('recursive_subgraph', `holds itself, or is nested deeper than ${deepest} levels.`)
        : undefined;
  if (!graph || fault) {
    reportOn(
      scope,
      node,
      fault ?? error('missing_group_node', 'is a group node that the file does not define.'),
    );
    return undefined;
  }
  const { promoted, overrides } = promotedValues(scope, node, graph);
  const inner = newScope(context, graph, { scope, node, promoted }, overrides);
  scope.children.set(node.id, inner);
  return inner;
};

const isInside = (scope: Scope, graph: UiGraph | undefined): boolean => {
  for (let at: Scope | undefined = scope; at; at = at.host?.scope) {
    if (at.graph === graph) return true;
  }
  return false;
};
