import { mergeOutputs } from './merge-outputs.js';
import { isSameJson } from '../protocol/json/is-same-json.js';
import type { EventFrame } from '../protocol/frames/frame.js';
import type { EventData } from '../protocol/event-data.js';
import {
  failedNode,
  runningWithin,
  knownNode,
  putNodes,
  runningAs,
  settled,
  withSteps,
  withOverall,
  withActivity,
  withText,
} from './nodes.js';
import type { JobInput } from './job-input.js';
import { fileCount, unlistedOutputs } from './unlisted-outputs.js';
import { isJsonObject, isTime } from '../protocol/json/json.js';
import { isTerminal, type JobState, type NodeState, type TerminalPhase } from './job-state.js';
import { type JobFailure, readFailure, unknownFailure } from './failure.js';
import { type Outputs, readOutputs } from './outputs.js';
import { withSocketImage } from './socket-images.js';
import { unreadSince } from './unread-outputs.js';
import { withMember, withoutMember } from './without-member.js';

export type { JobInput } from './job-input.js';

/**
 * Folds one event into a job's state; every view of a job derives from this one reducer.
 *
 * It is pure and total: every event gives a state, nothing throws, and an event that adds nothing returns the same state. A
 * terminal state is final. Events of other jobs, and socket events that name no job, change nothing; `Text` and `Preview` without a
 * job count as already attributed. A state without a `promptId` takes the id of the first job that an event names. Phases only
 * go forward, and so does the progress of each node and of the job. Outputs are the union, by file, of all events and
 * records (docs/protocol.md, chapters 4, 6 and 8).
 *
 * `executing` starts a node. On a server that sends no `progress_state` it also finishes the node before, unless that one
 * expanded into the new one; once a server has sent one, only `progress_state` says which nodes run, since several may run side by side.
 *
 * A frame that ends the job is final as well. History's outputs may trail that end: a caller that needs them reads history
 * first and folds its `HistoryRead` in place of the frame, as `client.run` does.
 *
 * @example
 * ```ts
 * import { stepJobState, type JobInput, type JobState } from 'promptwire';
 *
 * const next = (state: JobState, event: JobInput): JobState => stepJobState(state, event);
 * ```
 */
export const stepJobState = (state: JobState, event: JobInput): JobState => {
  if (isTerminal(state.phase)) return state;
  if (event._tag === 'Refused') return endJob(state, 'failed', { failure: event.failure });

  const named = event.promptId ?? '';
  if (named === '') return foldAttributed(state, event);
  if (state.promptId !== '' && state.promptId !== named) return state;
  return foldOwn(adopt(state, named), event);
};

/** A text or a picture without a job has been attributed to this one. */
const foldAttributed = (state: JobState, event: JobInput): JobState => {
  if (event._tag === 'Preview') return withSocketImage(state, event);
  return event._tag === 'Text' ? foldText(state, event.nodeId, event.text) : state;
};

const adopt = (state: JobState, promptId: string): JobState => {
  if (state.promptId === promptId && state.phase !== 'submitting') return state;
  return { ...state, promptId, phase: state.phase === 'submitting' ? 'pending' : state.phase };
};

const foldOwn = (state: JobState, event: Exclude<JobInput, { readonly _tag: 'Refused' }>): JobState => {
  switch (event._tag) {
    case 'Event':
      return foldEvent(state, event);
    case 'Text':
      return foldText(inProgress(state), event.nodeId, event.text);
    case 'Preview':
      return withSocketImage(state, event);
    case 'Accepted':
      return isSameJson(state.nodeErrors, event.nodeErrors)
        ? state
        : { ...state, nodeErrors: event.nodeErrors };
    case 'StatusRead':
      if (isTerminal(event.phase)) return endJob(withWarning(state, event.warning), event.phase, event);
      return withPlace(event.phase === 'in_progress' ? inProgress(state) : state, event);
    case 'HistoryRead':
      if (event.phase !== undefined) return endJob(withWarning(state, event.warning), event.phase, event);
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
const hasStarted = ({ startedAt, outputs }: Extract<JobInput, { _tag: 'HistoryRead' }>): boolean =>
  startedAt !== undefined || Object.keys(outputs).length > 0;

const foldText = (state: JobState, nodeId: string, text: string): JobState =>
  nodeId === '' ? state : putNodes(state, [withText(knownNode(state, nodeId), text)]);

const withOutputs = (state: JobState, outputs: JobState['outputs']): JobState => {
  if (outputs === state.outputs) return state;
  const unread = unreadSince(state.unread, state.outputs, outputs);
  return { ...state, outputs, ...(unread !== undefined && { unread }) };
};

/** Folds a text message of the job into its state, which is not terminal. */
const foldEvent = (state: JobState, event: EventFrame): JobState => {
  if (!isJsonObject(event.data)) return state;
  switch (event.type) {
    case 'execution_start':
      return withStart(inProgress(state), event.data.timestamp);
    case 'execution_cached':
      return foldCached(inProgress(state), event.data);
    case 'executing':
      return withOverall(foldExecuting(state, event.data), event.data);
    case 'progress':
      return withOverall(foldProgress(inProgress(state), event.data), event.data);
    case 'progress_state':
      return foldProgressState(inProgress(state), event.data);
    case 'executed':
      return foldExecuted(inProgress(state), event.data);
    case 'execution_success':
      return endJob(state, 'completed', { endedAt: event.data.timestamp });
    case 'execution_error':
      return foldError(state, event.data);
    case 'execution_interrupted':
      return endJob(state, 'cancelled', { endedAt: event.data.timestamp });
    default:
      return state;
  }
};

/** Marks the job as running: an event about a node proves that it runs, even where its start was missed. */
const inProgress = (state: JobState): JobState => {
  if (state.phase === 'in_progress') return state;
  return { ...withoutQueue(state), phase: 'in_progress' };
};

const withoutQueue = (state: JobState): JobState =>
  state.queue === undefined ? state : withoutMember(state, 'queue');

/** A place that an answer leaves out is not known any more. */
const withPlace = (
  state: JobState,
  { queue, queuedAt }: Extract<JobInput, { _tag: 'StatusRead' }>,
): JobState => {
  const timed = state.queuedAt === undefined && isTime(queuedAt) ? { ...state, queuedAt } : state;
  if (state.phase !== 'pending' || isSameJson(state.queue ?? {}, queue ?? {})) return timed;
  return queue === undefined ? withoutQueue(timed) : { ...timed, queue };
};

const withStart = (state: JobState, startedAt: unknown): JobState =>
  state.startedAt === undefined && isTime(startedAt) ? withMember(state, 'startedAt', startedAt) : state;

const foldCached = (state: JobState, { nodes }: EventData['execution_cached']): JobState =>
  putNodes(
    state,
    (Array.isArray(nodes) ? nodes : [])
      .filter(isId)
      .map((nodeId) => settled(knownNode(state, nodeId), 'cached')),
  );

/** Without a node it says that no node runs any more, but not how the job ended. */
const foldExecuting = (state: JobState, { node, display_node }: EventData['executing']): JobState => {
  if (!isId(node)) return state;
  const isNew = state.nodes[node] === undefined && state.exactNodes !== true;
  const next = knownNode(state, node, display_node);
  const before = isNew ? runningAs(state, 'finished', next) : [];
  return putNodes(inProgress(state), [...before, next]);
};

const foldProgress = (state: JobState, { node, value, max }: EventData['progress']): JobState =>
  isId(node) ? putNodes(state, [withSteps(knownNode(state, node), value, max)]) : state;

const foldProgressState = (state: JobState, { nodes }: EventData['progress_state']): JobState => {
  const put: NodeState[] = [];
  for (const [nodeId, reported] of Object.entries(isJsonObject(nodes) ? nodes : {})) {
    if (!isJsonObject(reported) || reported.state === 'pending' || nodeId === '') continue;
    const known = withActivity(knownNode(state, nodeId, reported.display_node_id), reported.activity);
    const node = withSteps(known, reported.value, reported.max);
    put.push(
      reported.state === 'finished'
        ? settled(node, 'finished')
        : reported.state === 'error'
          ? settled(node, 'failed')
          : node,
    );
  }
  return putNodes(state.exactNodes === true ? state : withMember(state, 'exactNodes', true), put);
};

const foldExecuted = (state: JobState, { node, display_node, output }: EventData['executed']): JobState => {
  if (!isId(node)) return state;
  const done = putNodes(state, [settled(knownNode(state, node, display_node), 'finished')]);
  return withOutputs(done, mergeOutputs(state.outputs, readOutputs({ [node]: output })));
};

/** `ExecutionBlocked` skips one branch; the job goes on and may complete. */
const foldError = (state: JobState, data: EventData['execution_error']): JobState => {
  const failure = readFailure(data);
  if (failure.exceptionType === 'ExecutionBlocked') {
    return withWarning(state, failure.exceptionMessage);
  }
  return endJob(state, 'failed', { failure, endedAt: data.timestamp });
};

const withWarning = (state: JobState, warning: string | undefined): JobState =>
  warning === undefined || state.warnings.includes(warning)
    ? state
    : { ...state, warnings: [...state.warnings, warning] };

const isId = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** What the source of a job's end reports besides the phase. */
export interface JobEndFacts {
  readonly failure?: JobFailure;
  /** The outputs of the history record; absent from other sources. */
  readonly outputs?: Outputs;
  /** Whether the record is final, so that `outputs` are all there will be. */
  readonly isFinal?: boolean;
  readonly startedAt?: unknown;
  readonly endedAt?: unknown;
}

/**
 * Makes a state terminal: the running nodes of a completed job become finished, the node that a failure names fails with those of
 * its expansion, and all others that run are stopped.
 *
 * Outputs become the union of history's and those reported before; they are complete where history's are final and lack
 * none of the others.
 */
const endJob = (state: JobState, phase: TerminalPhase, facts: JobEndFacts): JobState => {
  const { failure, outputs, isFinal = false, startedAt, endedAt } = facts;
  const nodesEnded = withLastNodes(withoutQueue(state), phase, failure);
  const whole = outputs === undefined ? nodesEnded : withLastOutputs(nodesEnded, outputs, isFinal);
  // Member by member: spreading what has some of them or none makes a hidden class for each state.
  const last: LastState = withoutMember(whole, 'plan');
  last.phase = phase;
  if (phase === 'completed') last.progress = 1;
  if (phase === 'failed') last.failure = failure ?? unknownFailure();
  if (last.startedAt === undefined && isTime(startedAt)) last.startedAt = startedAt;
  if (isTime(endedAt)) last.endedAt = endedAt;
  return last;
};

type LastState = { -readonly [Member in keyof JobState]: JobState[Member] };

const withLastOutputs = (state: JobState, recorded: Outputs, isFinal: boolean): JobState => {
  const unlisted = unlistedOutputs(state.outputs, recorded);
  const last = withOutputs(state, mergeOutputs(recorded, unlisted));
  const isWhole = (state.socketImages ?? []).every(({ bytes, url }) => (bytes ?? url) !== undefined);
  return { ...last, outputsComplete: isFinal && isWhole && fileCount(unlisted) === 0 };
};

const withLastNodes = (state: JobState, phase: TerminalPhase, failure?: JobFailure): JobState => {
  if (phase === 'completed') return putNodes(state, runningAs(state, 'finished'));
  const nodeId = phase === 'failed' ? failure?.nodeId : undefined;
  if (nodeId === undefined) return putNodes(state, runningAs(state, 'stopped'));
  const failed = [knownNode(state, nodeId), ...runningWithin(state, nodeId)].map(failedNode);
  const known = putNodes(state, failed);
  return putNodes(known, runningAs(known, 'stopped'));
};
