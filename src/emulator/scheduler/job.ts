import type { EmulatorOptions, InterfaceRow } from '../options.js';
import type { Switches } from '../switches.js';
import type { EventData } from '../messages.js';
import type { Graph } from './graph.js';
import { NodeFailure } from '../engine/node-class.js';
import type { Origin } from './subgraph.js';

/** The statuses of the service. */
export type RawStatus =
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
  /** The `prompt` member as submitted, for history, queue and the files' metadata. */
  readonly prompt: Readonly<Record<string, unknown>>;
  readonly extraData: Readonly<Record<string, unknown>>;
  /** The output nodes to run. */
  readonly targets: readonly string[];
  /** Whether it goes before the jobs that wait. */
  readonly front?: boolean;
  /** The saved workflow that it is linked to. */
  readonly workflowId?: string;
  /** Set where validation at pick-up refuses the job. */
  readonly refusal: Failure | undefined;
}

/** One accepted job; only the scheduler changes it. */
export interface Job extends Submission {
  readonly id: string;
  readonly number: number;
  readonly createdAt: number;
  status: RawStatus;
  updatedAt: number;
  startedAt: number | undefined;
  endedAt: number | undefined;
  failure: Failure | undefined;
  /** Node id → output of its `executed` event. */
  readonly outputs: Map<string, EventData>;
  /** The nodes of subgraphs so far, and where they come from. */
  readonly origins: Map<string, Origin>;
  /** The events in history: start, cached and end. */
  readonly messages: (readonly [type: string, data: EventData])[];
  readonly abort: AbortController;
}

/** True before a job's first event. */
export const isWaiting = (job: Job): boolean => job.startedAt === undefined && job.endedAt === undefined;

/** Makes a job; `place` has its id, its number and members of the dialect. */
export const newJob = <Place extends Pick<Job, 'id' | 'number'>>(
  submission: Submission,
  place: Place,
  now: number,
): Job & Place => ({
  ...submission,
  ...place,
  createdAt: now,
  status: 'submitted',
  updatedAt: now,
  startedAt: undefined,
  endedAt: undefined,
  failure: undefined,
  outputs: new Map(),
  origins: new Map(),
  messages: [],
  abort: new AbortController(),
});

/** The word that the status endpoint answers; a state that is switched off becomes `withheld`. */
export const statusWord = (
  job: Job,
  { statusWords }: Switches,
  has: (row: InterfaceRow) => boolean,
): string => {
  const state = stateOf(job.status);
  if (!has(`state:${state}`)) return 'withheld';
  return statusWords === 'five' ? state : job.status;
};

/** The interface's five states; a transitional status counts as the state before it. */
export const stateOf = (
  status: RawStatus,
): 'pending' | 'in_progress' | 'completed' | 'failed' | 'cancelled' => {
  switch (status) {
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

/** Why a job failed: the members of `execution_error` that the job's record has. */
export interface Failure {
  readonly node_id: string | null;
  readonly node_type: string | null;
  readonly exception_message: string;
  readonly exception_type: string;
  readonly traceback: readonly string[];
}

/** A failure before any node ran. */
export const failureWithoutNode = (type: string, message: string): Failure => ({
  node_id: null,
  node_type: null,
  exception_message: message,
  exception_type: type,
  traceback: [],
});

/** Converts what a node threw; the exception type is the node's choice or the error's name. */
export const failureOfNode = (nodeId: string, nodeType: string, error: unknown): Failure => {
  const type = exceptionType(error);
  const message = error instanceof Error ? error.message : String(error);
  return {
    node_id: nodeId,
    node_type: nodeType,
    exception_message: `${message}\n${error instanceof NodeFailure ? error.tip : ''}`,
    exception_type: type,
    traceback: tracebackOf(nodeType),
  };
};

/** The frames of an exception in a node, the innermost last and without the exception itself, as Python lists them. */
const tracebackOf = (classType: string): readonly string[] => [
  '  File "/app/execution.py", line 1, in execute\n',
  `  File "/app/nodes.py", line 1, in ${classType}\n`,
];

/** The members of `execution_error` but its time, in the engine's order. */
export const errorData = (
  promptId: string,
  { node_id, node_type, ...exception }: Failure,
  executed: readonly string[],
  current: { readonly current_inputs: unknown; readonly current_outputs: unknown },
): EventData => {
  const { current_inputs, current_outputs } = current;
  return { prompt_id: promptId, node_id, node_type, executed, ...exception, current_inputs, current_outputs };
};

/** Checks the billing again when a job starts: the account may have changed since its submission. */
export const billingFailure = (billing: NonNullable<EmulatorOptions['billing']>): Failure | undefined => {
  switch (billing) {
    case 'active':
      return undefined;
    case 'no credits':
      return failureWithoutNode('InsufficientFundsError', 'The account has no credits left.');
    case 'inactive':
      return failureWithoutNode('InactiveSubscriptionError', 'The account has no active subscription.');
  }
};

const exceptionType = (error: unknown): string => {
  if (error instanceof NodeFailure) return error.exceptionType;
  return error instanceof Error && error.name !== 'Error' ? error.name : 'Exception';
};
