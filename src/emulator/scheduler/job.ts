import type { EventData } from '../messages.js';
import type { Failure } from './failure.js';
import type { Graph } from './graph.js';
import type { InterfaceRow, Switches } from '../options.js';

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

/** A job that was accepted just now at `place`: its id, its number and whatever else a dialect gives it. */
export const newJob = <Place extends Pick<Job, 'id' | 'number'>>(
  submission: Submission,
  place: Place,
  now: number,
): Job & Place => ({
  ...submission,
  ...place,
  createdAt: now,
  word: 'submitted',
  updatedAt: now,
  startedAt: undefined,
  endedAt: undefined,
  failure: undefined,
  outputs: new Map(),
  messages: [],
  abort: new AbortController(),
});

/** The word that the status endpoint answers; a state that is switched off is told as another word. */
export const statusWord = (
  job: Job,
  { statusWords }: Switches,
  has: (row: InterfaceRow) => boolean,
): string => {
  const state = stateOf(job.word);
  if (!has(`state:${state}`)) return 'withheld';
  return statusWords === 'five' ? state : job.word;
};

/** The interface's five states; words that are still moving count as the state that they move away from. */
export const stateOf = (word: RawWord): 'pending' | 'in_progress' | 'completed' | 'failed' | 'cancelled' => {
  switch (word) {
    case 'submitted':
    case 'queued_limited':
    case 'queued_waiting':
    case 'allocated':
    case 'preparing':
    case 'pending_execution':
    case 'cancel_pending':
      return 'pending';
    case 'executing':
    case 'executed':
    case 'erroring':
    case 'cancel_requested':
      return 'in_progress';
    case 'success':
      return 'completed';
    case 'error':
    case 'lost':
      return 'failed';
    case 'cancelled':
      return 'cancelled';
  }
};
