import type { JobState, NodeState, TerminalPhase } from './job-state.js';
import type { Event } from '../protocol/frames/frame.js';
import type { EventData } from '../protocol/events/event-data.js';
import { failedNode, knownNode, putNodes, runningAsFinished, settled, withSteps } from './nodes.js';
import { fileCount, unlistedOutputs } from './unlisted-outputs.js';
import { isJsonObject, isTime } from '../protocol/json/json.js';
import { type JobFailure, readFailure, unknownFailure } from './failure.js';
import { mergeOutputs } from './merge-outputs.js';
import { type Outputs, readOutputs } from './outputs.js';

/** Takes a text message of the job's own into its state, which is not terminal. */
export const foldEvent = (state: JobState, event: Event): JobState => {
  if (!isJsonObject(event.data)) return state;
  switch (event.type) {
    case 'execution_start':
      return withStart(begun(state), event.data.timestamp);
    case 'execution_cached':
      return foldCached(begun(state), event.data);
    case 'executing':
      return foldExecuting(state, event.data);
    case 'progress':
      return foldProgress(begun(state), event.data);
    case 'progress_state':
      return foldProgressState(begun(state), event.data);
    case 'executed':
      return foldExecuted(begun(state), event.data);
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

/** Whatever tells of nodes tells that the job runs, also where its start was missed. */
const begun = (state: JobState): JobState =>
  state.phase === 'in_progress' ? state : { ...state, phase: 'in_progress' };

const withStart = (state: JobState, startedAt: unknown): JobState =>
  state.startedAt === undefined && isTime(startedAt) ? { ...state, startedAt } : state;

const foldCached = (state: JobState, { nodes }: EventData['execution_cached']): JobState =>
  putNodes(
    state,
    (Array.isArray(nodes) ? nodes : [])
      .filter(isId)
      .map((nodeId) => settled(knownNode(state, nodeId), 'cached')),
  );

/** Without a node it says that nothing runs any more, but neither when nor how the job ended. */
const foldExecuting = (state: JobState, { node, display_node }: EventData['executing']): JobState => {
  if (!isId(node)) return state;
  const starts = state.nodes[node] === undefined && state.exactNodes !== true;
  const before = starts ? runningAsFinished(state) : [];
  return putNodes(begun(state), [...before, knownNode(state, node, display_node)]);
};

const foldProgress = (state: JobState, { node, value, max }: EventData['progress']): JobState =>
  isId(node) ? putNodes(state, [withSteps(knownNode(state, node), value, max)]) : state;

const foldProgressState = (state: JobState, { nodes }: EventData['progress_state']): JobState => {
  const put: NodeState[] = [];
  for (const [nodeId, told] of Object.entries(isJsonObject(nodes) ? nodes : {})) {
    if (!isJsonObject(told) || told.state === 'pending' || nodeId === '') continue;
    const node = withSteps(knownNode(state, nodeId, told.display_node_id), told.value, told.max);
    put.push(
      told.state === 'finished'
        ? settled(node, 'finished')
        : told.state === 'error'
          ? settled(node, 'failed')
          : node,
    );
  }
  return putNodes(state.exactNodes === true ? state : { ...state, exactNodes: true }, put);
};

const foldExecuted = (state: JobState, { node, display_node, output }: EventData['executed']): JobState => {
  if (!isId(node)) return state;
  const done = putNodes(state, [settled(knownNode(state, node, display_node), 'finished')]);
  const outputs = mergeOutputs(state.outputs, readOutputs({ [node]: output }));
  return outputs === state.outputs ? done : { ...done, outputs };
};

/** `ExecutionBlocked` leaves one branch out; the run goes on and may end well. */
const foldError = (state: JobState, data: EventData['execution_error']): JobState => {
  const failure = readFailure(data);
  if (failure.exceptionType === 'ExecutionBlocked') {
    const { exceptionMessage } = failure;
    return state.warnings.includes(exceptionMessage)
      ? state
      : { ...state, warnings: [...state.warnings, exceptionMessage] };
  }
  return endJob(state, 'failed', { failure, endedAt: data.timestamp });
};

const isId = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** What the source of an end told besides. */
export interface JobEndFacts {
  readonly failure?: JobFailure;
  /** History's, where it was history that told. */
  readonly outputs?: Outputs;
  /** Whether these are all of them. */
  readonly isFinal?: boolean;
  readonly startedAt?: unknown;
  readonly endedAt?: unknown;
}

/**
 * Makes a state terminal; the nodes of a completed job are finished, and the node that a failure names is failed.
 *
 * Outputs are the union of history's and all that were reported before; they are complete where history's are final and
 * lack none of the others.
 */
export const endJob = (state: JobState, phase: TerminalPhase, facts: JobEndFacts): JobState => {
  const { failure, outputs, isFinal = false, startedAt, endedAt } = facts;
  return {
    ...withLastNodes(state, phase, failure),
    phase,
    ...(phase === 'completed' && { progress: 1 }),
    ...(phase === 'failed' && { failure: failure ?? unknownFailure() }),
    ...(outputs !== undefined && lastOutputs(state.outputs, outputs, isFinal)),
    ...(state.startedAt === undefined && isTime(startedAt) && { startedAt }),
    ...(isTime(endedAt) && { endedAt }),
  };
};

const lastOutputs = (
  known: Outputs,
  recorded: Outputs,
  isFinal: boolean,
): Pick<JobState, 'outputs' | 'outputsComplete'> => {
  const unlisted = unlistedOutputs(known, recorded);
  return {
    outputs: mergeOutputs(recorded, unlisted),
    outputsComplete: isFinal && fileCount(unlisted) === 0,
  };
};

const withLastNodes = (state: JobState, phase: TerminalPhase, failure?: JobFailure): JobState => {
  if (phase === 'completed') return putNodes(state, runningAsFinished(state));
  const nodeId = phase === 'failed' ? failure?.nodeId : undefined;
  return nodeId === undefined ? state : putNodes(state, [failedNode(knownNode(state, nodeId))]);
};
