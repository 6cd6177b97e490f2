import type { Problem } from '../../core/protocol/problem.js';
import type { Verdict } from '../validate/verdict.js';
import type { Workflow } from '../../core/protocol/workflow.js';

/** What {@link preflightReport} says of a workflow at one service. */
export interface PreflightReport {
  /**
   * What the service would do with it, as far as its node classes, its plan and its bounds decide: `refused` also where the plan refuses
   * its paid nodes, an upload is too large, or a replacement of a class breaks. Models that are missing are beside it. `unknown` where the
   * service gives no node classes: then the lists of classes, paid nodes and replacements are empty because nothing tells.
   */
  readonly verdict: Verdict | 'unknown';
  /** In API format, as it would be sent; absent for a file of the editor that can't be converted. */
  readonly workflow?: Workflow;
  /** What the conversion and the checks of {@link validateWorkflow} found in it, after the service's replacements of classes. */
  readonly problems: readonly Problem[];
  /** Classes that the service has neither under their own name nor under another. */
  readonly missingClasses: readonly MissingClass[];
  /** Models that the service does not list. */
  readonly missingModels: readonly NamedModel[];
  /** Models of the file of which nothing tells whether the service has them, as no input of a known class names them. */
  readonly unknownModels: readonly NamedModel[];
  /** Nodes that run and cost money beside the run itself. */
  readonly paidNodes: readonly PaidNode[];
  /** What the account may do. */
  readonly plan: Plan;
  /** Files that inputs name and the service does not list, so that they have to be uploaded first. */
  readonly uploads: readonly NeededUpload[];
  /** Nodes whose class the service replaces before it checks the workflow. */
  readonly replaced: readonly ReplacedNode[];
}

/** A class that a service lacks. */
export interface MissingClass {
  /** The class. */
  readonly className: string;
  /** The nodes of it. */
  readonly nodeIds: readonly string[];
  /** The pack that it is of: as the file names it, or perhaps, as the name of the class tells. */
  readonly pack?: string;
}

/** A model that a workflow names. */
export interface NamedModel {
  /** The name of its file, with folders where the workflow has them. */
  readonly name: string;
  /** The node that names it; absent if only the file as a whole lists it. */
  readonly nodeId?: string;
  /** The input that names it. */
  readonly input?: string;
  /** Where to get it, by the file. */
  readonly url?: string;
  /** The folder of models that it belongs to, by the file. */
  readonly directory?: string;
}

/** A node that calls a paid service of a partner. */
export interface PaidNode {
  /** The node. */
  readonly nodeId: string;
  /** Its class. */
  readonly className: string;
  /** What its definition says of its price; absent if it says nothing. */
  readonly price?: NodePrice;
}

/** The price of a node as its definition has it: a label for people, which the service does not promise to charge. */
export interface NodePrice {
  /** The language of the expression, such as `jsonata`. */
  readonly engine: string;
  /** The expression, which is not evaluated. */
  readonly expression: string;
  /** The values that the node gives to the inputs which the expression reads; a linked or absent input is undefined. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** What an account may do, as far as the service tells. */
export interface Plan {
  /**
   * Whether the account may run paid nodes: `refused`, the service refuses a workflow that has one; `open`, its first gate does not, but a
   * subscription, a model's or a workspace's policy may; `unknown`, it says nothing.
   */
  readonly paidNodes: 'refused' | 'open' | 'unknown';
  /** Runs of a free account: how many there are, and how many are left. */
  readonly freeRuns?: { readonly allowance: number; readonly used: number; readonly remaining: number };
  /** The largest upload in bytes. */
  readonly maxUploadBytes?: number;
}

/** An input whose file has to be uploaded. */
export interface NeededUpload {
  /** The node. */
  readonly nodeId: string;
  /** Its input. */
  readonly input: string;
  /** The file, as the input names it. */
  readonly name: string;
  /** Its size, where the caller knows it. */
  readonly bytes?: number;
  /** Whether it is larger than the service takes; absent if size or bound is unknown. */
  readonly isTooLarge?: boolean;
}

/** A node whose class a service replaces. */
export interface ReplacedNode {
  /** The node. */
  readonly nodeId: string;
  /** Its class in the workflow, which the service lacks. */
  readonly className: string;
  /** The class that takes its place. */
  readonly newClass: string;
  /** Its inputs that the replacement drops, as it maps none of them. */
  readonly droppedInputs: readonly string[];
  /**
   * `always` where the replacement takes an input that the node does not have, so that the service fails (500) instead of refusing;
   * `perhaps` where it fails or not by the order in which it replaces two nodes that are linked.
   */
  readonly breaks?: 'always' | 'perhaps';
}
