import { type ClassDefinition, type NodeDefinitions, readDefinition } from '../definitions.js';
import { type ClassPlan, planOf } from './widget-plan.js';
import type { Finding } from '../validate/finding.js';
import type { GroupNode } from './group-links.js';
import type { Json } from './values.js';
import type { Problem } from '../problem.js';
import type { UiGraph, UiNode } from './ui-graph.js';

/** What every step of one conversion shares. */
export interface Context {
  readonly definitions: NodeDefinitions | undefined;
  readonly random: () => number;
  readonly now: () => Date;
  readonly expandsPrompts: boolean;
  readonly root: UiGraph;
  /** The graph of a subgraph, by its id; undefined where the file defines none. */
  readonly subgraphOf: (id: string) => UiGraph | undefined;
  /** The definition of a group node, by its name. */
  readonly groupOf: (name: string) => GroupNode | undefined;
  /** What primitive nodes write into the widgets of a graph. */
  readonly writtenIn: (graph: UiGraph) => Overrides;
  readonly report: (problem: Problem) => void;
}

/** A value that something else in the file gives to a widget. */
export interface Override {
  readonly widget: string;
  readonly value: unknown;
  /** A promoted value reaches the API as it is; others pass dynamic prompts and `%…%` like the node's own. */
  readonly isRaw: boolean;
  /** Whether `%…%` in the value is replaced, whatever the widget. */
  readonly isReplaced?: boolean;
  /** The node deeper inside that is meant, where several have a widget of this name. */
  readonly source?: string;
}

/** Overrides by node id; of several for one widget the last one counts. */
export type Overrides = ReadonlyMap<string, readonly Override[]>;

/** One graph at one place of the flattened workflow. */
export interface Scope {
  readonly graph: UiGraph;
  /** Ids of the instances around it, outermost first. */
  readonly path: readonly string[];
  /** The path as the start of a node id: empty, or with a colon at its end. */
  readonly prefix: string;
  /** The instance that it stands for; undefined for the root. */
  readonly host?: Host;
  readonly overrides: Overrides;
  readonly children: Map<string, Scope>;
}

/** The instance of a subgraph, in the graph around it. */
export interface Host {
  readonly scope: Scope;
  readonly node: UiNode;
  /** Its socket for each input of the subgraph. */
  readonly sockets: readonly (Json | undefined)[];
  /** The values of promoted widgets, by input of the subgraph. */
  readonly promoted: ReadonlyMap<number, unknown>;
}

export const definitionOf = ({ definitions }: Context, node: UiNode): ClassDefinition | undefined =>
  node.kind === 'class' ? readDefinition(definitions, node.type) : undefined;

/** The layout of a node's class; undefined where the definitions lack it. */
export const planOfNode = (context: Context, node: UiNode): ClassPlan | undefined => {
  const definition = definitionOf(context, node);
  return definition && planOf(definition);
};

/** The title of a node: its own, or what its class is called. */
export const titleOf = (context: Context, node: UiNode): string => {
  const { title } = node.raw;
  return typeof title === 'string' ? title : (definitionOf(context, node)?.displayName ?? node.type);
};

/** The id of a node in the API format. */
export const apiId = ({ prefix }: Pick<Scope, 'prefix'>, node: UiNode): string => prefix + node.id;

/** Reports something about a node; the message goes on after its name. */
export const reportOn = (
  context: Pick<Context, 'report'>,
  scope: Pick<Scope, 'prefix'>,
  node: UiNode,
  finding: Finding,
  input?: unknown,
): void => {
  const nodeId = apiId(scope, node);
  const message = `Node ${nodeId} (${node.type}) ${finding.message}`;
  context.report({ nodeId, ...(typeof input === 'string' && { input }), ...finding, message });
};
