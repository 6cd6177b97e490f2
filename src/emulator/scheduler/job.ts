import type { EventData } from '../messages.js';
import type { Failure } from './failure.js';
import type { Graph } from './graph.js';

/** The service's own words for where a job stands. */
export type RawWord =
  | 'submitted'
  | 'queued_limited'
  | 'queued_waiting'
  | 'allocated'
  | 'preparing'
  | 'pending_execution'
  | 'executing'
  | 'executed'
  | 'success'
  | 'erroring'
  | 'error'
  | 'lost'
  | 'cancel_pending'
  | 'cancel_requested'
  | 'cancelled';

/** What was accepted for running. */
export interface Submission {
  readonly graph: Graph;
  /** The `prompt` member as it came, for history, queue and the files' metadata. */
  readonly prompt: Readonly<Record<string, unknown>>;
  readonly extraData: Readonly<Record<string, unknown>>;
  /** The output nodes to run. */
  readonly targets: readonly string[];
  /** Set where validation at pick-up refuses the job. */
  readonly refusal: Failure | undefined;
}

/** One job, from its acceptance on; the scheduler changes it, everybody else reads. */
export interface Job extends Submission {
  readonly id: string;
  readonly number: number;
  readonly createdAt: number;
  word: RawWord;
  updatedAt: number;
  startedAt: number | undefined;
  endedAt: number | undefined;
  failure: Failure | undefined;
  /** Node id → what `executed` told of it. */
  readonly outputs: Map<string, EventData>;
  /** What history keeps of the events: start, cached and end. */
  readonly messages: (readonly [type: string, data: EventData])[];
  readonly abort: AbortController;
}

/** True before a job's first event. */
export const isWaiting = (job: Job): boolean => job.startedAt === undefined && job.endedAt === undefined;
