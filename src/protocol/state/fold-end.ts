import { isTime } from '../is-time.js';
import type { JobFailure } from './job-failure.js';
import type { TerminalPhase } from './job-phase.js';
import type { JobState } from './job-state.js';
import { putNodes, runningAsFinished } from './fold-nodes.js';
import type { Outputs } from '../outputs/outputs.js';
import { unknownFailure } from './unknown-failure.js';

/** What the source of an end told besides. */
export interface JobEndFacts {
  readonly failure?: JobFailure;
  /** History's, where it was history that told. */
  readonly outputs?: Outputs;
  readonly startedAt?: unknown;
  readonly endedAt?: unknown;
}

/** Makes a state terminal; of a completed job every node that ran is finished. */
export const endJob = (state: JobState, phase: TerminalPhase, facts: JobEndFacts): JobState => {
  const { failure, outputs, startedAt, endedAt } = facts;
  const ended = phase === 'completed' ? putNodes(state, runningAsFinished(state)) : state;
  return {
    ...ended,
    phase,
    ...(phase === 'completed' && { progress: 1 }),
    ...(phase === 'failed' && { failure: failure ?? unknownFailure() }),
    ...(outputs !== undefined && { outputs, outputsComplete: true }),
    ...(state.startedAt === undefined && isTime(startedAt) && { startedAt }),
    ...(isTime(endedAt) && { endedAt }),
  };
};
