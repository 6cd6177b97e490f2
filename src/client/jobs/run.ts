import { abortable } from '../../core/interop/abortable.js';
import { accept, type Accepted } from './accept.js';
import { acceptedJob } from './start-job.js';
import { nodesOfJob, stateOfNodes } from '../../core/state/initial-job-state.js';
import type { JobContext } from './job-context.js';
import type { JobState } from '../../core/state/job-state.js';
import { concat, defer, finalize, mergeMap, type Observable, of, tap } from 'rxjs';
import type { SubmissionHooks } from './recent-submissions.js';
import type { SubmitOptions } from '../../core/http/rest.js';
import type { ValidateMode } from './validation.js';
import type { Workflow } from '../../core/protocol/workflow.js';

/** The client's handling of submissions and jobs that lose their subscriber. */
export interface RunHooks extends SubmissionHooks {
  /** The subscriber left and had asked for the job to end then. */
  readonly abandon: (promptId: string) => void;
}

/**
 * Submits a workflow and follows the job: a cold stream of its states, one submission for each subscription.
 *
 * Emits `submitting` at once, completes after the terminal state; a job that fails or is cancelled is such a state, not an
 * error. Errors with a `ServiceError` where the submission is refused or its outcome unknown, and with `Aborted` when the
 * signal fires: with the job's `promptId` as soon as it has one.
 */
export const run = (
  context: JobContext,
  { orphaned, outcomeUnknown, abandon }: RunHooks,
  workflow: Workflow,
  { onUnsubscribe = 'detach', signal, ...options }: Omit<RunOptions, 'label'> = {},
): Observable<JobState> =>
  defer(() => {
    const cancels = onUnsubscribe === 'cancel';
    const job = { workflow, targets: options.targets };
    const toRun = nodesOfJob(job);
    const follow = (accepted: Accepted): Observable<JobState> => {
      const { promptId } = accepted.submission;
      const states = context.tracker
        .track(acceptedJob(context, workflow, accepted, toRun))
        .pipe(abortable(signal, { promptId }), finalize(context.work.begin()));
      return cancels ? states.pipe(tap({ unsubscribe: () => abandon(promptId) })) : states;
    };
    const accepted = accept(context, workflow, {
      ...options,
      signal,
      outcomeUnknown,
      orphaned: (submission) => {
        orphaned(submission);
        if (cancels) abandon(submission.promptId);
      },
    });
    return concat(of(stateOfNodes(job, toRun)), accepted.pipe(mergeMap(follow)));
  });

/** The plans of the service: free and standard run 1 job at once, creator 3, pro 5; `unlimited` sets no bound here. */
export type ClientTier = 'free' | 'standard' | 'creator' | 'pro' | 'unlimited';

/** Options of `client.submit`. */
export interface LabelledSubmitOptions extends SubmitOptions {
  /** A name of your own for this submission; it stands in `client.recent`, and the service never sees it. */
  readonly label?: string | undefined;
  /**
   * Checks the workflow by the node classes of the service before anything is sent: `warn` puts what it finds into
   * `JobState.problems`, `strict` refuses a workflow with errors as `InvalidWorkflow`; default `off`.
   */
  readonly validate?: ValidateMode | undefined;
  /**
   * Runs the workflow so that nothing of its results stays on the server: its `SaveImage` and `PreviewImage` nodes are sent as
   * `SaveImageWebsocket`, whose pictures are `JobState.socketImages`, and the record of the job is deleted after its end, before the last
   * state is emitted. Default false. `NotSupported`, before anything is sent, where a node writes other files, and with `dialect: 'v2'`.
   * Files that were uploaded stay, which `JobState.problems` says (`ephemeral_input`), and a record that could not be deleted is among
   * `warnings`.
   */
  readonly ephemeral?: boolean | undefined;
}

/** Options of `client.run`. */
export interface RunOptions extends LabelledSubmitOptions {
  /** What unsubscribing before the end does to the job: default `detach`, it goes on. */
  readonly onUnsubscribe?: 'detach' | 'cancel' | undefined;
}

/** Options of `client.runAll`. */
export interface RunAllOptions extends Omit<RunOptions, 'label'> {
  /** At most this tier's number at once. */
  readonly tier?: ClientTier | undefined;
  /** At most this many at once; wins over `tier`. */
  readonly concurrency?: number | 'unlimited' | undefined;
  /** A name of your own for each submission, which stands in its states and in `client.recent`. */
  readonly label?: string | ((workflow: Workflow, index: number) => string | undefined);
  /** Once it fires no more workflows are taken; the stream completes when the jobs that run have ended. */
  readonly drain?: AbortSignal | undefined;
}
