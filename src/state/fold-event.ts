import type { JobState, NodeState, TerminalPhase } from './job-state.js';
import type { EventFrame } from '../protocol/frames/frame.js';
import type { EventData } from '../protocol/events/event-data.js';
import { failedNode, knownNode, putNodes, runningAsFinished, settled, withSteps } from './nodes.js';
import { fileCount, unlistedOutputs } from './unlisted-outputs.js';
import { isJsonObject, isTime } from '../protocol/json/json.js';
import { type JobFailure, readFailure, unknownFailure } from './failure.js';
import { mergeOutputs } from './merge-outputs.js';
import { type Outputs, readOutputs } from './outputs.js';

/** Folds a text message of the job into its state, which is not terminal. */
export const foldEvent = (state: JobState, event: EventFrame): JobState => {
  if (!isJsonObject(event.data)) return state;
  switch (event.type) {
    case 'execution_start':
      return withStart(inProgress(state), event.data.timestamp);
    case 'execution_cached':
      return foldCached(inProgress(state), event.data);
    case 'executing':
      return foldExecuting(state, event.data);
    case 'progress':
      return foldProgress(inProgress(state), event.data);
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

/** Marks the job as running: any event about a node proves that it runs, even where its start was missed. */
export const inProgress = (state: JobState): JobState =>
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

/** Without a node it says that no node runs any more, but not how the job ended. */
const foldExecuting = (state: JobState, { node, display_node }: EventData['executing']): JobState => {
  if (!isId(node)) return state;
  const isNew = state.nodes[node] === undefined && state.exactNodes !== true;
  const before = isNew ? runningAsFinished(state) : [];
  return putNodes(inProgress(state), [...before, knownNode(state, node, display_node)]);
};

const foldProgress = (state: JobState, { node, value, max }: EventData['progress']): JobState =>
  isId(node) ? putNodes(state, [withSteps(knownNode(state, node), value, max)]) : state;

const foldProgressState = (state: JobState, { nodes }: EventData['progress_state']): JobState => {
  const put: NodeState[] = [];
  for (const [nodeId, reported] of Object.entries(isJsonObject(nodes) ? nodes : {})) {
    if (!isJsonObject(reported) || reported.state === 'pending' || nodeId === '') continue;
    const node = withSteps(knownNode(state, nodeId, reported.display_node_id), reported.value, reported.max);
    put.push(
      reported.state === 'finished'
        ? settled(node, 'finished')
        : reported.state === 'error'
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

/** `ExecutionBlocked` skips one branch; the job goes on and may complete. */
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
 * Makes a state terminal: the running nodes of a completed job become finished, and the node that a failure names fails.
 *
 * Outputs become the union of history's and those reported before; they are complete where history's are final and lack
 * none of the others.
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
