import { error, type Finding, problemOf } from '../validate/finding.js';
import type { NodeDefinitions } from '../definitions.js';
import type { NodeKind } from './node-kind.js';
import type { Json } from '../values.js';
import type { PackOf } from '../validate/pack-of.js';
import type { Problem } from '../../core/protocol/problem.js';
import type { Socket, UiGraph, UiNode } from './ui-graph.js';

/** What every step of one conversion shares. */
export interface Context {
  readonly definitions: NodeDefinitions | undefined;
  /** The pack of a class that the definitions lack. */
  readonly packOf: PackOf;
  readonly random: () => number;
  readonly now: () => Date;
  readonly expandsPrompts: boolean;
  /** What a type is that is no subgraph. */
  readonly kindOf: (type: string) => NodeKind;
  /** The definition of a subgraph, or a group node's as a subgraph; undefined if the file has none for this type. */
  readonly definitionOf: (type: string) => Json | undefined;
  /** The graph inside an instance of a subgraph or a group node; undefined if the file defines none. */
  readonly graphIn: (instance: UiNode) => UiGraph | undefined;
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
  readonly source?: string | undefined;
}

/** Overrides by node id; of several for one widget the last one counts. */
export type Overrides = ReadonlyMap<string, readonly Override[]>;

/** One graph at one place of the flattened workflow. */
export interface Scope {
  readonly context: Context;
  readonly graph: UiGraph;
  /** Ids of the instances around it, outermost first. */
  readonly path: readonly string[];
  /** The instance that it stands for; undefined for the root. */
  readonly host: Host | undefined;
  readonly overrides: Overrides;
  /** The scopes of instances, by their id. */
  readonly children: Map<string, Scope>;
  /** What the links of sockets bring, where they were followed. */
  readonly resolved: Map<Socket | undefined, Resolved>;
}

/** What a link brings to an input: the output of a node, the value of a promoted widget, or nothing. */
export type Resolved =
  { readonly ref: readonly [nodeId: string, slot: number] } | { readonly value: unknown } | undefined;

/** The instance of a subgraph, in the graph around it. */
export interface Host {
  readonly scope: Scope;
  readonly node: UiNode;
  /** Its values for widgets inside, by the input of the subgraph that stands for them. */
  readonly promoted: ReadonlyMap<number, unknown>;
}

/** The id of a node in the API format. */
export const apiId = ({ path }: Scope, { id }: UiNode): string => [...path, id].join(':');

/** Nodes of one graph share an id, or one has an id that looks like a node's inside a subgraph. */
export const duplicateId = (): Finding => error('duplicate_node_id', 'has the id of another node.');

/** Reports something about a node. */
export const reportOn = (scope: Scope, node: UiNode, finding: Finding, input?: string): void => {
  scope.context.report(problemOf({ id: apiId(scope, node), className: node.type }, finding, input));
};
