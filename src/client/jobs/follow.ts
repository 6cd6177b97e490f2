import { abortable } from '../../core/interop/abortable.js';
import { initialJobState, nodesToRun } from '../../core/state/initial-job-state.js';
import { type Job, jobHandle } from './job-handle.js';
import type { JobContext } from './job-context.js';
import type { JobState } from '../../core/state/job-state.js';
import type { Observable } from 'rxjs';
import { foreignSocket, type Tracked } from './tracked.js';
import { socketSaversIn } from '../../core/state/socket-images.js';
import type { Workflow } from '../../core/protocol/workflow.js';

/** Options of `client.job`. */
export interface ExistingJobOptions {
  /**
   * The workflow of the job. It tells pictures of `SaveImageWebsocket` nodes from previews: only then there are `socketImages`. And it
   * tells `progress()` what the nodes cost.
   */
  readonly workflow?: Workflow | undefined;
}

/** Options of `client.follow`. */
export interface FollowOptions extends ExistingJobOptions {
  /** Ends the stream with `Aborted` when it fires; the job goes on. */
  readonly signal?: AbortSignal | undefined;
}

/** What to follow of a job that is known by its id alone. */
export const trackedById = (
  { accepted, dialect, durations }: Pick<JobContext, 'accepted' | 'dialect' | 'durations'>,
  promptId: string,
  { workflow }: ExistingJobOptions = {},
): Tracked => {
  // Which branches the service dropped, and so how many nodes run, is not known.
  const nodeIds = workflow === undefined ? [] : nodesToRun(workflow);
  const savers = workflow === undefined ? [] : socketSaversIn(workflow, nodeIds);
  const planned = workflow === undefined ? undefined : durations?.plan(workflow, nodeIds);
  return {
    initial: {
      ...initialJobState({ promptId, phase: 'pending' }),
      ...(savers.length > 0 && { socketSavers: savers }),
      ...(planned && { plan: planned.plan }),
    },
    wasSeen: accepted.has(promptId),
    onState: planned?.onState,
    awaitingFirstReport: true,
    boundTo: dialect.jobs.eventsFollowClientId || dialect.jobs.polledThroughout ? foreignSocket : undefined,
  };
};

/**
 * Follows a job that runs already, or has ended: REST is asked at once, and the socket brings what is new.
 *
 * The first state that it emits is the one that the service reports. Errors with `NotFound` where the service goes on for
 * `notFoundAfterMs` to know no such job; one that this client submitted is `untraceable` instead. In the local dialect the
 * events of a job that another program submitted go to that program, so it is followed by polling.
 */
export const follow = (
  context: JobContext,
  promptId: string,
  { signal, workflow }: FollowOptions = {},
): Observable<JobState> =>
  context.tracker.track(trackedById(context, promptId, { workflow })).pipe(abortable(signal, { promptId }));

/** Makes the handle of a job that exists already, which is followed from now on as by `follow`. */
export const existingJob = (context: JobContext, promptId: string, options?: ExistingJobOptions): Job =>
  jobHandle(context, trackedById(context, promptId, options));
