import { concat, defer, finalize, type Observable, of, switchMap, tap } from 'rxjs';
import type { RunOptions } from './run-options.js';
import { abortable } from '../interop/abortable.js';
import { initialJobState } from '../protocol/state/initial-job-state.js';
import type { JobState } from '../protocol/state/job-state.js';
import { stepJobState } from '../protocol/state/step-job-state.js';
import type { Submission } from '../protocol/answers/submission.js';
import type { Workflow } from '../protocol/workflow/workflow.js';
import { accept } from './accept.js';
import type { JobContext } from './job-context.js';
import { track, withClaimed } from './track.js';

/** What {@link run} does with jobs that lose their watcher. */
export interface RunHooks {
  /** An answer came after its watcher had left. */
  readonly remember: (submission: Submission) => void;
  /** The watcher left and had asked for the job to end then. */
  readonly abandon: (promptId: string) => void;
}

/**
 * Submits a workflow and follows the job: a cold stream of its states, one submission for each subscription.
 *
 * Emits `submitting` at once, completes after the terminal state; a job that fails or is cancelled is such a state, not an
 * error. Errors with a `ServiceError` where the submission is refused or its outcome unknown.
 */
export const run = (
  context: JobContext,
  { remember, abandon }: RunHooks,
  workflow: Workflow,
  { onUnsubscribe = 'detach', signal, ...options }: RunOptions = {},
): Observable<JobState> =>
  defer(() => {
    const submitting = initialJobState({ workflow });
    const leave = onUnsubscribe === 'cancel' ? abandon : () => undefined;
    let running: string | undefined;

    const states = accept(context, workflow, {
      ...options,
      signal,
      unwatched: (submission) => {
        remember(submission);
        leave(submission.promptId);
      },
    }).pipe(
      switchMap(({ submission, claim, clientId }) => {
        const { promptId, nodeErrors } = submission;
        running = promptId;
        return track(context, {
          initial: stepJobState(submitting, { _tag: 'Accepted', promptId, nodeErrors }),
          sighted: true,
          frames: withClaimed(claim, context.source.ofPrompt(promptId)),
          boundTo: context.dialect === 'local' ? clientId : undefined,
        }).pipe(abortable(signal));
      }),
      tap({
        error: () => (running = undefined),
        complete: () => (running = undefined),
      }),
      finalize(() => {
        if (running !== undefined) leave(running);
      }),
    );
    return concat(of(submitting), states);
  });
