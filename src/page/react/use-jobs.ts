import { defer, map } from 'rxjs';
import { type JobView, sharedJob } from './use-job.js';
import type { JobSource } from './source.js';
import type { RemoteJobPage, RemoteListOptions } from '../remote/list.js';
import type { ServiceError } from '../../core/errors/errors.js';
import { type Shared, shared, type View } from './shared.js';
import { useMemo } from 'react';
import { useShared, useView } from './use-shared.js';

/** A source that lists jobs with their states: a remote. */
export interface ListSource extends JobSource {
  /** A page of the caller's jobs, the newest first. */
  readonly list: (options?: RemoteListOptions) => Promise<RemoteJobPage>;
}

/** Several jobs as a component shows them. */
export interface JobsView {
  /** A view of each job, in the order of the ids or of the list; the same array until one of them changes. */
  readonly jobs: readonly JobView[];
  /** Why there is no list; what is wrong with one job is the `error` of its view. */
  readonly error: ServiceError | undefined;
  /** Lists anew, such as after a submission or an error; with ids it does nothing. */
  readonly refresh: () => void;
}

/** What {@link useJobs} takes: ids, or which jobs of a remote to list. */
export interface UseJobs {
  /** Follows the jobs with these ids. */
  (source: JobSource | undefined, ids: readonly string[]): JobsView;
  /** Lists jobs of the caller, the newest first, and follows those that have not ended. */
  (source: ListSource | undefined, options?: RemoteListOptions): JobsView;
}

/**
 * Follows several jobs: those with the given ids, or of a remote a page of the caller's newest.
 *
 * Each view is as {@link useJob} gives it, and shared with it. The array of ids, or the object of options, may be made anew in each render. The list
 * is asked for once for all components that show it, and again by `refresh`; jobs that ended before are not asked for one by one.
 *
 * @example
 * ```ts
 * import type { Remote } from 'promptwire/remote';
 * import { useJobs } from 'promptwire/react';
 *
 * const useRunning = (remote: Remote): number =>
 *   useJobs(remote, { limit: 20 }).jobs.filter(({ state }) => state?.phase === 'in_progress').length;
 * ```
 */
export const useJobs: UseJobs = (
  source: JobSource | ListSource | undefined,
  which: readonly string[] | RemoteListOptions = {},
): JobsView => {
  const key = JSON.stringify(which);
  const isListed = source !== undefined && 'list' in source && !Array.isArray(which);
  const { listed, error, retry } = useView(isListed ? source : undefined, key, sharedList, noList);
  const all = useMemo(() => {
    if (source === undefined) return [];
    return isListed
      ? listed.map(({ id, state }) => sharedJob(source, id, state))
      : (JSON.parse(key) as readonly string[]).map((id) => sharedJob(source, id));
  }, [source, isListed, key, listed]);
  return { jobs: useShared(all), error, refresh: retry };
};

interface ListView extends View {
  readonly listed: RemoteJobPage['jobs'];
  readonly error: ServiceError | undefined;
}

const noList: ListView = { listed: [], error: undefined, retry: () => undefined };

const sharedList = (source: ListSource, options: string): Shared<ListView> =>
  shared<ListView>(source, `list ${options}`, noList, () =>
    defer(() => source.list(JSON.parse(options) as RemoteListOptions)).pipe(
      map(({ jobs }) => ({ listed: jobs })),
    ),
  );
