import type { VirtualNode } from './node-kind.js';
import type { Problem } from '../../core/protocol/problem.js';
import type { Workflow } from '../../core/protocol/workflow.js';

/** Settings of {@link toApiWorkflow}; all optional. */
export interface ConversionOptions {
  /** Picks the options of dynamic prompts: numbers from 0 (inclusive) to 1; by default from the platform's `crypto`. */
  readonly random?: () => number;
  /** The time that `%date:…%` stands for; by default the current one. */
  readonly now?: Date;
  /** `expand` (the default) replaces `{a|b}` in prompts as the editor does; `raw` leaves these texts as they are. */
  readonly dynamicPrompts?: 'expand' | 'raw';
  /**
   * Types of nodes that only the editor has, beside those of the well-known packs: `drop` for notes and switches, `reroute` for what
   * passes its input of the same index on, `set` and `get` for pairs with a name as their first value; `class` for what runs.
   */
  readonly virtualNodes?: Readonly<Record<string, VirtualNode>>;
}

/** Where a node of the API format stands in the editor's file. */
export interface NodeOrigin {
  /** Its id in its own graph, as text. */
  readonly id: string;
  /** The ids of the subgraph instances (or group nodes) around it, outermost first. */
  readonly path: readonly string[];
}

/** What a conversion made. */
export interface Conversion {
  /** The workflow in API format; absent if one of the problems is an error. */
  readonly workflow?: Workflow;
  /** Node id of the API format → node of the file. */
  readonly nodeMap: Readonly<Record<string, NodeOrigin>>;
  /** What stops the conversion (`error`), and what people should know of its result (`warning`). */
  readonly problems: readonly Problem[];
}
