import type { NewState } from './copy-state.js';
import type { JobPhase } from './job-phase.js';
import type { JobState } from './job-state.js';
import { type NodeErrors, noNodeErrors } from '../answers/node-errors.js';
import { noNodes } from './no-nodes.js';
import { noOutputs } from '../outputs/outputs.js';
import { nodesToRun } from '../workflow/nodes-to-run.js';
import type { Workflow } from '../workflow/workflow.js';

/** Options of {@link initialJobState}. */
export interface InitialJobStateOptions {
  /** Without it the state takes the first job that an event names. */
  readonly promptId?: string | undefined;
  /** What was submitted: how many of its nodes will run is what the overall progress is measured by. */
  readonly workflow?: Workflow | undefined;
  /** The branches of it that the service dropped, which will not run. */
  readonly nodeErrors?: NodeErrors | undefined;
  /** Default `submitting`, with a `promptId` `pending`. */
  readonly phase?: JobPhase | undefined;
}

/**
 * Makes the state of a job of which nothing is known yet; `stepJobState` goes on from it.
 *
 * @example
 * ```ts
 * import { initialJobState, stepJobState, type JobEvent } from 'promptwire';
 *
 * const stateAfter = (events: readonly JobEvent[]) => events.reduce(stepJobState, initialJobState());
 * ```
 */
export const initialJobState = ({
  promptId = '',
  workflow,
  nodeErrors = noNodeErrors,
  phase = promptId === '' ? 'submitting' : 'pending',
}: InitialJobStateOptions = {}): JobState => {
  const state: NewState = {
    promptId,
    phase,
    nodes: noNodes,
    progress: phase === 'completed' ? 1 : 0,
    outputs: noOutputs,
    outputsComplete: false,
    nodeErrors,
    warnings: [],
  };
  if (workflow !== undefined) state.nodeCount = nodesToRun(workflow, nodeErrors);
  return state;
};
