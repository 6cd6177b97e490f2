import { canonicalText, mergeOutputs } from './merge-outputs.js';
import { endJob, foldEvent } from './fold-event.js';
import type { Frame } from '../protocol/frames/frame.js';
import { isTerminal, type JobPhase, type JobState } from './job-state.js';
import type { JobFailure } from './failure.js';
import { knownNode, putNodes, withText } from './nodes.js';
import type { NodeErrors } from './node-errors.js';
import type { Outputs } from './outputs.js';

/**
 * Takes one event into a job's state: the one reducer that every view of a job is derived from.
 *
 * Pure and total: whatever comes, it gives a state and never throws, and where the event tells nothing new it gives the
 * same state. A terminal state is final. Events of other jobs, and events of the socket that name none, change nothing;
 * `Text` without a job is taken as already attributed. A state without a `promptId` becomes the state of the first job
 * that is named. Phases only go forward, and so does the progress of each node and of the whole. Outputs are the
 * union, by file, of what events and records told (docs/protocol.md, chapters 4, 6 and 8).
 *
 * `executing` says that a node begins, and on a server that says no more than that, that the one before is finished. Once
 * `progress_state` spoke, it alone tells which are: several nodes may run side by side.
 *
 * The job's end in a frame is final as well. Who needs the outputs of history, which may trail that end, reads history
 * first and passes on its `HistoryRead` in place of the frame, as `client.run` does.
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
      return foldText(begin(state), event.nodeId, event.text);
    case 'Accepted':
      return isSame(state.nodeErrors, event.nodeErrors) ? state : { ...state, nodeErrors: event.nodeErrors };
    case 'StatusRead':
      if (isTerminal(event.phase)) return endJob(state, event.phase, event);
      return event.phase === 'in_progress' ? begin(state) : state;
    case 'HistoryRead':
      if (event.phase !== undefined) return endJob(state, event.phase, event);
      return withOutputs(hasBegun(event) ? begin(state) : state, mergeOutputs(state.outputs, event.outputs));
    case 'Untraceable':
      return endJob(state, 'untraceable', {});
    default:
      return state;
  }
};

const begin = (state: JobState): JobState =>
  state.phase === 'pending' ? { ...state, phase: 'in_progress' } : state;

/** A record that is not final yet says that its job has begun by its start, and by what the job has put out. */
const hasBegun = ({ startedAt, outputs }: Extract<JobEvent, { _tag: 'HistoryRead' }>): boolean =>
  startedAt !== undefined || Object.keys(outputs).length > 0;

const foldText = (state: JobState, nodeId: string, text: string): JobState =>
  nodeId === '' ? state : putNodes(state, [withText(knownNode(state, nodeId), text)]);

const withOutputs = (state: JobState, outputs: JobState['outputs']): JobState =>
  outputs === state.outputs ? state : { ...state, outputs };

const isSame = (one: unknown, other: unknown): boolean => {
  if (one === other) return true;
  const text = canonicalText(one);
  return text !== undefined && text === canonicalText(other);
};

/**
 * One thing that was learnt of a job, whatever bank of the river it came from: a frame of the socket, or an answer of
 * submission, status or history.
 */
export type JobEvent =
  | Frame
  /** The service accepted the submission. */
  | { readonly _tag: 'Accepted'; readonly promptId: string; readonly nodeErrors: NodeErrors }
  /** The status endpoint (or the queue, locally) told a phase. Terminal phases here are the service's last word. */
  | {
      readonly _tag: 'StatusRead';
      readonly promptId: string;
      readonly phase: JobPhase;
      readonly failure?: JobFailure;
    }
  /** History told outputs and, where the job is over, how it ended. */
  | {
      readonly _tag: 'HistoryRead';
      readonly promptId: string;
      readonly outputs: Outputs;
      readonly phase?: 'completed' | 'failed' | 'cancelled';
      readonly failure?: JobFailure;
      /** Whether all outputs are there that there will be: without it they are a part, which completes nothing. */
      readonly isFinal?: boolean;
      /** The service's clock, in milliseconds since 1970, where the record told. */
      readonly startedAt?: number;
      readonly endedAt?: number;
    }
  /** The submission was refused, so this job never was. */
  | { readonly _tag: 'Refused'; readonly failure: JobFailure }
  /** No source knows the job any more. */
  | { readonly _tag: 'Untraceable'; readonly promptId: string };
