import type { Graph, GraphNode } from '../scheduler/graph.js';
import type { InputSpec, NodeClass, NodeDefinition } from '../engine/node-class.js';

/** One entry of `node_errors[id].errors`. */
export interface Problem {
  readonly type: string;
  readonly message: string;
  readonly details: string;
  readonly extra_info: Readonly<Record<string, unknown>>;
}

/** `node_errors` as it is sent. */
export type NodeErrors = Readonly<
  Record<
    string,
    {
      readonly errors: readonly Problem[];
      readonly dependent_outputs: readonly string[];
      readonly class_type: string;
    }
  >
>;

/** The `error` member of a refused prompt. */
export interface PromptError {
  readonly type: string;
  readonly message: string;
  readonly details: string;
  readonly extra_info: Readonly<Record<string, unknown>>;
}

/** A prompt error; `details` is empty unless given. */
export const promptError = (
  type: string,
  message: string,
  details = '',
  extraInfo: Readonly<Record<string, unknown>> = {},
): PromptError => ({ type, message, details, extra_info: extraInfo });

/** The refusal of a body without `prompt`. */
export const noPromptError: PromptError = promptError(
  'no_prompt',
  'No prompt provided',
  'No prompt provided',
);

/** The graph and the node classes that validation uses. */
export interface ValidationScope {
  readonly graph: Graph;
  readonly classOf: (node: GraphNode) => NodeClass | undefined;
  readonly definitionOf: (node: GraphNode) => NodeDefinition | undefined;
  readonly exists: (filename: string) => boolean;
  /** Whether the options of combos in the newer notation are checked. */
  readonly checksNewCombos: boolean;
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
  /** False if this node or one that it needs has a problem. */
  readonly valid: boolean;
  readonly problems: readonly Problem[];
  /** The inputs that will run: those of the definition, coerced. */
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Set where the check itself broke down. */
  readonly crash?: Crash;
}

/** Why a check crashed, as a Python exception. */
export interface Crash {
  readonly type: 'KeyError' | 'IndexError' | 'TypeError';
  readonly message: string;
}
