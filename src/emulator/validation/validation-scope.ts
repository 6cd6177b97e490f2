import type { InputSpec, NodeClass, NodeDefinition } from '../engine/node-class.js';
import type { Graph, GraphNode } from '../scheduler/graph.js';
import type { Problem } from './problem.js';

/** What validation looks things up in. */
export interface ValidationScope {
  readonly graph: Graph;
  readonly classOf: (node: GraphNode) => NodeClass | undefined;
  readonly definitionOf: (node: GraphNode) => NodeDefinition | undefined;
  readonly exists: (filename: string) => boolean;
}

/** The input whose link leads to a node that is validated. */
export interface Consumer {
  readonly name: string;
  readonly spec: InputSpec;
  readonly link: readonly unknown[];
}

/** Validates the node that a link of this consumer leads to. */
export type ValidateLinked = (nodeId: string, consumer: Consumer) => NodeVerdict;

/** What validation found at one node. */
export interface NodeVerdict {
  /** False where this node or one that it needs has a problem. */
  readonly valid: boolean;
  readonly problems: readonly Problem[];
  /** The inputs that will run: those of the definition, coerced. */
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Set where the check itself broke down. */
  readonly crash?: Crash;
}

/** Why a check broke down, in the words of the service's language. */
export interface Crash {
  readonly type: 'KeyError' | 'IndexError';
  readonly message: string;
}
