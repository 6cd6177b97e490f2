import { abortable } from '../../core/interop/abortable.js';
import { initialJobState } from '../../core/state/initial-job-state.js';
import { type Job, jobHandle } from './job-handle.js';
import type { JobContext } from './job-context.js';
import type { JobState } from '../../core/state/job-state.js';
import type { Observable } from 'rxjs';
import { foreignSocket, type Tracked } from './tracked.js';

/** Options of `client.follow`. */
export interface FollowOptions {
  /** Ends the stream with `Aborted` when it fires; the job goes on. */
  readonly signal?: AbortSignal | undefined;
}

/** What to follow of a job that is known by its id alone. */
export const trackedById = (
  { accepted, dialect }: Pick<JobContext, 'accepted' | 'dialect'>,
  promptId: string,
): Tracked => ({
  initial: initialJobState({ promptId, phase: 'pending' }),
  wasSeen: accepted.has(promptId),
  isQuiet: true,
  boundTo: dialect.jobs.eventsFollowClientId || dialect.jobs.polledThroughout ? foreignSocket : undefined,
});

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
  { signal }: FollowOptions = {},
): Observable<JobState> =>
  context.tracker.track(trackedById(context, promptId)).pipe(abortable(signal, { promptId }));

/** Makes the handle of a job that exists already, which is followed from now on as by `follow`. */
export const existingJob = (context: JobContext, promptId: string): Job =>
  jobHandle(context, trackedById(context, promptId));
