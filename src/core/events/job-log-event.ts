import type { JobState } from '../state/job-state.js';
import type { NodeOutputs } from '../state/outputs.js';
import type { OutputFile } from '../state/output-files.js';

/**
 * Something that happened to a job, as the gateway tells it.
 *
 * Every event but `progress` is a lifecycle event: it stands in the owner's log and reaches every reader. `progress` is the latest
 * state of the nodes, which replaces an earlier one. A preview is no event of the log.
 */
export type JobLogEvent = LifecycleEvent | ProgressEvent;

/**
 * The former name of `JobLogEvent`.
 *
 * @deprecated Use {@link JobLogEvent}: `promptwire` has another type by this name.
 */
export type JobEvent = JobLogEvent;

/** An event that stands in the log. */
export type LifecycleEvent = SubmittedEvent | StatusEvent | OutputEvent | CancelRequestedEvent;

/** When an event happened. */
export interface Timed {
  /** The gateway's clock, in milliseconds since 1970. */
  readonly at: number;
}

/** The first event of each job: everything known of it at that moment. */
export interface SubmittedEvent extends Timed {
  /** The name of the event. */
  readonly type: 'submitted';
  /** The state that later events apply to. */
  readonly state: JobState;
}

/** The job's phase changed, or what is known of its end. A terminal one is the last event of its job. */
export interface StatusEvent extends Timed {
  /** The name of the event. */
  readonly type: 'status';
  /** All members of the job's state that are neither outputs nor progress; what is absent here is absent there. */
  readonly status: JobStatusMembers;
  /** Only with a terminal phase: the last progress. */
  readonly progress?: JobProgress;
}

/** A node of the job has new outputs. */
export interface OutputEvent extends Timed {
  /** The name of the event. */
  readonly type: 'output';
  /** The id of the node. */
  readonly nodeId: string;
  /** All outputs of that node so far. */
  readonly outputs: NodeOutputs;
  /** The files among them that no earlier event listed. */
  readonly added: readonly OutputFile[];
}

/** The caller asked for the end of the job; changes no state. */
export interface CancelRequestedEvent extends Timed {
  /** The name of the event. */
  readonly type: 'cancelRequested';
}

/** How far the job is; never in the log. */
export interface ProgressEvent extends Timed {
  /** The name of the event. */
  readonly type: 'progress';
  /** All of the progress at that moment. */
  readonly progress: JobProgress;
}

/** The members of a state that tell where the job stands. */
export type JobStatusMembers = Omit<JobState, keyof JobProgress | 'outputs'>;

/** The members of a state that tell how far the job is. */
export type JobProgress = Pick<JobState, 'nodes' | 'nodeCount' | 'plan' | 'exactNodes' | 'progress'>;
