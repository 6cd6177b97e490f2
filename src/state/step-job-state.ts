import { canonicalJson, mergeOutputs } from './merge-outputs.js';
import { endJob, foldEvent, inProgress } from './fold-event.js';
import type { Frame } from '../protocol/frames/frame.js';
import { isTerminal, type JobPhase, type JobState } from './job-state.js';
import type { JobFailure } from './failure.js';
import { knownNode, putNodes, withText } from './nodes.js';
import type { NodeErrors } from './node-errors.js';
import type { Outputs } from './outputs.js';

/**
 * Folds one event into a job's state; every view of a job derives from this one reducer.
 *
 * It is pure and total: any event gives a state, nothing throws, and an event that adds nothing returns the same state. A
 * terminal state is final. Events of other jobs, and socket events that name no job, change nothing; `Text` without a job
 * counts as already attributed. A state without a `promptId` takes the id of the first job that an event names. Phases only
 * go forward, and so does the progress of each node and of the job. Outputs are the union, by file, of all events and
 * records (docs/protocol.md, chapters 4, 6 and 8).
 *
 * `executing` starts a node. On a server that sends no `progress_state` it also finishes the node before; once a server has
 * sent one, only `progress_state` says which nodes run, since several may run side by side.
 *
 * A frame that ends the job is final as well. History's outputs may trail that end: a caller that needs them reads history
 * first and folds its `HistoryRead` in place of the frame, as `client.run` does.
 *
 * @example
 * ```ts
 * import { stepJobState, type JobEvent, type JobState } from 'promptwire';
 *
 * const next = (state: JobState, event: JobEvent): JobState => stepJobState(state, event);
 * ```
 */
export const stepJobState = (state: JobState, event: JobEvent): JobState => {
  if (isTerminal(state.phase)) return state;
  if (event._tag === 'Refused') return endJob(state, 'failed', { failure: event.failure });

  const named = event.promptId ?? '';
  if (named === '') return event._tag === 'Text' ? foldText(state, event.nodeId, event.text) : state;
  if (state.promptId !== '' && state.promptId !== named) return state;
  return foldOwn(adopt(state, named), event);
};

const adopt = (state: JobState, promptId: string): JobState => {
  if (state.promptId === promptId && state.phase !== 'submitting') return state;
  return { ...state, promptId, phase: state.phase === 'submitting' ? 'pending' : state.phase };
};

const foldOwn = (state: JobState, event: Exclude<JobEvent, { readonly _tag: 'Refused' }>): JobState => {
  switch (event._tag) {
    case 'Event':
      return foldEvent(state, event);
    case 'Text':
      return foldText(inProgress(state), event.nodeId, event.text);
    case 'Accepted':
      return isSame(state.nodeErrors, event.nodeErrors) ? state : { ...state, nodeErrors: event.nodeErrors };
    case 'StatusRead':
      if (isTerminal(event.phase)) return endJob(state, event.phase, event);
      return event.phase === 'in_progress' ? inProgress(state) : state;
    case 'HistoryRead':
      if (event.phase !== undefined) return endJob(state, event.phase, event);
      return withOutputs(
        hasStarted(event) ? inProgress(state) : state,
        mergeOutputs(state.outputs, event.outputs),
      );
    case 'Untraceable':
      return endJob(state, 'untraceable', {});
    default:
      return state;
  }
};

/** A record without an end shows a running job by its start time or by its outputs. */
const hasStarted = ({ startedAt, outputs }: Extract<JobEvent, { _tag: 'HistoryRead' }>): boolean =>
  startedAt !== undefined || Object.keys(outputs).length > 0;

const foldText = (state: JobState, nodeId: string, text: string): JobState =>
  nodeId === '' ? state : putNodes(state, [withText(knownNode(state, nodeId), text)]);

const withOutputs = (state: JobState, outputs: JobState['outputs']): JobState =>
  outputs === state.outputs ? state : { ...state, outputs };

const isSame = (one: unknown, other: unknown): boolean => {
  if (one === other) return true;
  const text = canonicalJson(one);
  return text !== undefined && text === canonicalJson(other);
};

/** One piece of news about a job: a frame of the socket, or an answer of submission, status or history. */
export type JobEvent =
  | Frame
  /** The service accepted the submission. */
  | { readonly _tag: 'Accepted'; readonly promptId: string; readonly nodeErrors: NodeErrors }
  /** The status endpoint (a local server's queue) reported a phase; a terminal one is the service's last word. */
  | {
      readonly _tag: 'StatusRead';
      readonly promptId: string;
      readonly phase: JobPhase;
      readonly failure?: JobFailure;
    }
  /** History reported outputs and, where the job is over, how it ended. */
  | {
      readonly _tag: 'HistoryRead';
      readonly promptId: string;
      readonly outputs: Outputs;
      readonly phase?: 'completed' | 'failed' | 'cancelled';
      readonly failure?: JobFailure;
      /** Whether the record has all outputs; otherwise they are a part and complete nothing. */
      readonly isFinal?: boolean;
      /** The service's clock in milliseconds since 1970, where the record has it. */
      readonly startedAt?: number;
      readonly endedAt?: number;
    }
  /** The service refused the submission, so there is no job. */
  | { readonly _tag: 'Refused'; readonly failure: JobFailure }
  /** No source knows the job any more. */
  | { readonly _tag: 'Untraceable'; readonly promptId: string };
