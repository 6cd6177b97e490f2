import type { JobFailure } from './failure.js';
import type { NodeErrors } from './node-errors.js';
import type { Outputs } from './outputs.js';

/** One node of a job as far as its events told. */
export interface NodeState {
  readonly nodeId: string;
  /** The node of the submitted workflow that this one belongs to; differs for nodes made at run time. */
  readonly displayNodeId: string;
  /** Only `running` changes any more, as a node runs once within a job; but the node that the job's failure names is `failed`. */
  readonly phase: 'running' | 'finished' | 'cached' | 'failed';
  /** Steps done, never lower than before within a run. */
  readonly value: number;
  /** Steps in all; 0 where the node can't tell. */
  readonly max: number;
  /** 0 to 1, never lower than before; 1 for a node that is finished or cached. */
  readonly fraction: number;
  /** The latest progress text of this node. */
  readonly text?: string;
}

/**
 * Everything known of one job at one moment: an immutable value, made anew by each event that changes it.
 */
export interface JobState {
  /** The service's id of the job; empty while `phase` is `submitting`. */
  readonly promptId: string;
  readonly phase: JobPhase;
  /** Node id → node, without a prototype; only nodes that an event has named. */
  readonly nodes: Readonly<Record<string, NodeState>>;
  /**
   * How many nodes of the workflow will run, as far as its links and the service's answer tell (which they do not of a job that
   * was only followed); more once more nodes than that were named.
   */
  readonly nodeCount?: number;
  /** Set once `progress_state` spoke: it alone is exact about which nodes run, others are guessed by their order. */
  readonly exactNodes?: true;
  /** 0 to 1 over the nodes that will run, never lower than before; 1 only once `completed`. */
  readonly progress: number;
  readonly outputs: Outputs;
  /** True once the record of history was final and lacked nothing of `outputs`; else files may be missing. */
  readonly outputsComplete: boolean;
  /** Set when `phase` is `failed` or `unknown`, and where the watching of an `untraceable` job broke off. */
  readonly failure?: JobFailure;
  /** Branches that the service dropped at submission while it accepted the rest. */
  readonly nodeErrors: NodeErrors;
  /** Messages of `ExecutionBlocked` and the like: the run went on. */
  readonly warnings: readonly string[];
  /** The service's clock at start and end, in milliseconds since 1970, where it told. */
  readonly startedAt?: number;
  readonly endedAt?: number;
}

/**
 * Where a job stands: `submitting` before the service named it, then the interface's five states. `untraceable` is a job
 * that no source knows any more, `unknown` a submission that may or may not have become a job.
 */
export type JobPhase = 'submitting' | 'pending' | 'in_progress' | TerminalPhase;

/** The phases that nothing follows. */
export type TerminalPhase = 'completed' | 'failed' | 'cancelled' | 'untraceable' | 'unknown';

/** Tells whether a job in this phase is over. */
export const isTerminal = (phase: JobPhase): phase is TerminalPhase =>
  phase !== 'submitting' && phase !== 'pending' && phase !== 'in_progress';

/** The nodes of a job before its first event: one frozen object for all jobs. */
export const noNodes: JobState['nodes'] = /* @__PURE__ */ Object.freeze(
  /* @__PURE__ */ Object.create(null) as JobState['nodes'],
);
