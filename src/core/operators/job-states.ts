import { defer, distinctUntilChanged, type OperatorFunction, scan, skip, startWith, takeWhile } from 'rxjs';
import { initialJobState } from '../state/initial-job-state.js';
import { isTerminal, type JobState } from '../state/job-state.js';
import { type JobInput, stepJobState } from '../state/step-job-state.js';
import type { Workflow } from '../protocol/workflow.js';

/** Options of {@link jobStates}. */
export interface JobStatesOptions {
  /** The job; events of other jobs are ignored. Without it the first state is `submitting`. */
  readonly promptId?: string | undefined;
  /** The submitted workflow; its node count makes the overall progress exact. */
  readonly workflow?: Workflow | undefined;
}

/**
 * Folds the events of a job into its states, and completes with the terminal state.
 *
 * ```text
 * source           --a--b--c--x--d--|    c changes nothing; x ends the job
 *                  jobStates({ promptId })
 * result           --A--B-----(X|)
 * ```
 *
 * Each state is an immutable value that includes everything before it. The operator emits a state only where an event
 * changed it, and not the state before the first event. A failed or cancelled job is a value too, followed by completion. If
 * the source completes early, so does the result; errors pass. Each subscription has its own fold.
 * Facts: docs/protocol.md, chapters 4 and 6.
 *
 * @example
 * ```ts
 * import { forPrompt, jobStates, type Frame } from 'promptwire';
 * import type { Observable } from 'rxjs';
 *
 * const states = (frames: Observable<Frame>, promptId: string) =>
 *   frames.pipe(forPrompt(promptId), jobStates({ promptId }));
 * ```
 */
export const jobStates =
  (options: JobStatesOptions = {}): OperatorFunction<JobInput, JobState> =>
  (source) =>
    defer(() => {
      const initial = initialJobState(options);
      return source.pipe(
        scan(stepJobState, initial),
        startWith(initial),
        distinctUntilChanged(),
        skip(1),
        takeWhile((state) => !isTerminal(state.phase), true),
      );
    });
