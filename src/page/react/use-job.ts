import { answered, cancelled, idOf, type JobHandle, type JobSource } from './source.js';
import { EMPTY, map } from 'rxjs';
import { isTerminal, type JobState } from '../../core/state/job-state.js';
import type { ServiceError } from '../../core/errors/errors.js';
import { type Shared, shared } from './shared.js';
import { useView } from './use-shared.js';

/** A job as a component shows it; the same object until something changes. */
export interface JobView {
  /** The id of the job; undefined if none is asked for. */
  readonly id: string | undefined;
  /** The latest state; undefined until the first one, and on a server. */
  readonly state: JobState | undefined;
  /**
   * Why the job can't be followed, or not be cancelled: `NotFound` for an id that the service or gateway does not know any more. A job that
   * failed is a `state`.
   */
  readonly error: ServiceError | undefined;
  /** Asks for the end of the job. Never rejects: `false` says that it was over, or that `error` has the reason. */
  readonly cancel: () => Promise<boolean>;
  /** Follows the job again, after an error. */
  readonly retry: () => void;
}

/** What {@link useJob} takes: a client or a remote with the id of a job, or a job itself. */
export interface UseJob {
  /** Follows a job by its id; no id, or an empty one, is no job. */
  (source: JobSource | undefined, id: string | undefined): JobView;
  /** Follows a job that was submitted. */
  (job: JobHandle | undefined): JobView;
}

/**
 * Follows a job, from the first effect of the component until it is taken off or shows another job.
 *
 * All components that show a job of one client or remote share one subscription and see the same state, in strict mode as well. Another id
 * shows nothing of the job before. A `ServiceError` is the `error` of the view; any other is thrown while rendering. Nothing is submitted,
 * and nothing is asked on a server. Following ends with the last component, and the job goes on.
 *
 * @example
 * ```ts
 * import type { Remote } from 'promptwire/remote';
 * import { useJob } from 'promptwire/react';
 *
 * const useWords = (remote: Remote, id: string): string => {
 *   const { state, error } = useJob(remote, id);
 *   return error?.message ?? state?.failure?.exceptionMessage ?? state?.phase ?? 'loading';
 * };
 * ```
 */
export const useJob: UseJob = (source: JobSource | JobHandle | undefined, id?: string): JobView =>
  useView(source, idOf(source, id), sharedJob, noJob);

const noJob: JobView = {
  id: undefined,
  state: undefined,
  error: undefined,
  cancel: () => Promise.resolve(false),
  retry: () => undefined,
};

/** The view of a job; one that is known to have ended in this `state` is not asked for. */
export const sharedJob = (source: JobSource | JobHandle, id: string, state?: JobState): Shared<JobView> =>
  shared<JobView>(
    source,
    `job ${id}`,
    { ...noJob, id, state },
    () =>
      state !== undefined && isTerminal(state.phase)
        ? EMPTY
        : ('states' in source ? source.states : source.follow(id)).pipe(map((next) => ({ state: next }))),
    (set) => ({ cancel: () => cancelled(() => answered(source.cancel(id)), set) }),
  );
