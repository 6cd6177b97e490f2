import { copyState } from './copy-state.js';
import { isTime } from '../is-time.js';
import type { JobFailure } from './job-failure.js';
import type { TerminalPhase } from './job-phase.js';
import type { JobState } from './job-state.js';
import { failedNode, knownNode, putNode, putNodes, runningAsFinished } from './fold-nodes.js';
import { mergeOutputs } from '../outputs/merge-outputs.js';
import type { Outputs } from '../outputs/outputs.js';
import { fileCount, unlistedOutputs } from '../outputs/unlisted-outputs.js';
import { unknownFailure } from './unknown-failure.js';

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
  const ended = copyState(withLastNodes(state, phase, failure));
  ended.phase = phase;
  if (phase === 'completed') ended.progress = 1;
  if (phase === 'failed') ended.failure = failure ?? unknownFailure();
  if (outputs !== undefined) {
    const unlisted = unlistedOutputs(state.outputs, outputs);
    ended.outputs = mergeOutputs(outputs, unlisted);
    ended.outputsComplete = isFinal && fileCount(unlisted) === 0;
  }
  if (state.startedAt === undefined && isTime(startedAt)) ended.startedAt = startedAt;
  if (isTime(endedAt)) ended.endedAt = endedAt;
  return ended;
};

const withLastNodes = (state: JobState, phase: TerminalPhase, failure?: JobFailure): JobState => {
  if (phase === 'completed') return putNodes(state, runningAsFinished(state));
  const nodeId = phase === 'failed' ? failure?.nodeId : undefined;
  return nodeId === undefined ? state : putNode(state, failedNode(knownNode(state, nodeId)));
};
