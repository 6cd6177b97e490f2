import type { JobFailure } from './failure.js';
import type { JobPlan } from './job-plan.js';
import type { NodeErrors } from './node-errors.js';
import type { Outputs } from './outputs.js';
import type { QueuePlace } from './queue-place.js';
import type { SocketImage } from './socket-image.js';
import type { Problem } from '../protocol/problem.js';
import type { UnreadOutput } from './unread-outputs.js';

/** One node of a job, as its events report it. */
export interface NodeState {
  /** Its id in the submitted workflow, or one that the service made for it at run time. */
  readonly nodeId: string;
  /** The node of the submitted workflow that this one belongs to; differs from `nodeId` for nodes made at run time. */
  readonly displayNodeId: string;
  /**
   * A node runs once per job, so only `running` changes; but the node that the job's failure names becomes `failed`. In a terminal
   * state none is `running`: `stopped` are those that the end of the job cut short.
   */
  readonly phase: 'running' | 'finished' | 'cached' | 'failed' | 'stopped';
  /** Steps done; never decreases. */
  readonly value: number;
  /** Total steps; 0 if the node does not know. */
  readonly max: number;
  /** 0 to 1; never decreases; 1 for a finished or cached node. */
  readonly fraction: number;
  /** The latest progress text of this node. */
  readonly text?: string;
  /** What it does while it makes no steps, such as `loading` of a model; only while it runs and the service says so. */
  readonly activity?: string;
}

/**
 * Everything that is known of one job at one moment: an immutable value; each event that changes it makes a new one.
 *
 * The last state has a terminal phase (`isTerminal`); phases and progress never go back.
 *
 * @example
 * ```ts
 * import { outputFiles, type JobState } from 'promptwire';
 *
 * const describe = (state: JobState): string =>
 *   state.phase === 'failed'
 *     ? `failed: ${state.failure?.exceptionMessage ?? ''}`
 *     : `${state.phase}, ${outputFiles(state.outputs).length} files`;
 * ```
 */
export interface JobState {
  /** The service's id of the job; empty while `phase` is `submitting`. */
  readonly promptId: string;
  /** Where the job stands; a terminal phase belongs to the last state. */
  readonly phase: JobPhase;
  /** Node id → node, without a prototype; only nodes that an event has named. */
  readonly nodes: Readonly<Record<string, NodeState>>;
  /**
   * How many nodes of the workflow will run, by its links and the service's answer; absent for a job that was only followed. It
   * grows if events name more nodes.
   */
  readonly nodeCount?: number;
  /** How long its nodes are expected to take; of a job that a client submitted, until it ends. `progress()` reads it. */
  readonly plan?: JobPlan;
  /** Set by the first `progress_state`, which alone says exactly which nodes run; without it their order is the only clue. */
  readonly exactNodes?: true;
  /** 0 to 1 over the nodes that will run; never decreases; 1 only once `completed`. */
  readonly progress: number;
  /** Every output that a source has reported so far, by node; `outputFiles` lists the files. */
  readonly outputs: Outputs;
  /** The nodes that send their results over the socket, `SaveImageWebsocket`; absent without any, and where the workflow is unknown. */
  readonly socketSavers?: readonly string[];
  /** The pictures that these nodes have sent, in the order of their arrival; absent without any. */
  readonly socketImages?: readonly SocketImage[];
  /**
   * True once the history record is final and lacks nothing of `outputs`, and no picture of `socketSavers` was lost; otherwise files or
   * pictures may be missing.
   */
  readonly outputsComplete: boolean;
  /** What nodes told in a shape that can't be read as file, text or data; absent without any. */
  readonly unread?: readonly UnreadOutput[];
  /** Set when `phase` is `failed` or `unknown`, and where an error ended the following of an `untraceable` job. */
  readonly failure?: JobFailure;
  /** Branches that the service dropped at submission while it accepted the rest. */
  readonly nodeErrors: NodeErrors;
  /**
   * What the check before the submission found, warnings and errors; with `validate: 'off'` only integers that may have been rounded
   * (`rounded_integer`), and absent without any.
   */
  readonly problems?: readonly Problem[];
  /** Messages of `ExecutionBlocked` and the like, after which the job went on, and why its record was not read. */
  readonly warnings: readonly string[];
  /** Where it stands and why it waits, as far as the service tells it; only while `phase` is `pending`. */
  readonly queue?: QueuePlace;
  /** The service's clock at the submission, in milliseconds since 1970, where the service sent it. */
  readonly queuedAt?: number;
  /** The service's clock at the start, in milliseconds since 1970, where the service sent it. */
  readonly startedAt?: number;
  /** The service's clock at the end, in milliseconds since 1970, where the service sent it. */
  readonly endedAt?: number;
}

/**
 * The phase of a job: `submitting` before the service names it, then the interface's five states. `untraceable` is a job that
 * no source knows any more; `unknown` is a submission that may or may not have become a job.
 */
export type JobPhase = 'submitting' | 'pending' | 'in_progress' | TerminalPhase;

/** The phases of a job that is over. */
export type TerminalPhase = 'completed' | 'failed' | 'cancelled' | 'untraceable' | 'unknown';

/** Whether a job in this phase is over. */
export const isTerminal = (phase: JobPhase): phase is TerminalPhase =>
  phase !== 'submitting' && phase !== 'pending' && phase !== 'in_progress';

/** The nodes of a job before its first event: one frozen object for all jobs. */
export const noNodes: JobState['nodes'] = /* @__PURE__ */ Object.freeze(
  /* @__PURE__ */ Object.create(null) as JobState['nodes'],
);
