import { catchError, EMPTY, finalize, mergeMap, type Subscription, tap } from 'rxjs';
import { isTerminal } from '../../../core/state/job-state.js';
import type { JobRegistry } from '../registry/job-registry.js';
import type { Upstream } from './upstream.js';

/**
 * Puts the previews of running jobs in the registry where an upstream hands them to every process, also of jobs that another process
 * follows.
 */
export const sharedPreviews = (
  registry: JobRegistry,
  upstreams: Readonly<Record<string, Upstream>>,
): Subscription => {
  const watched = new Set<string>();
  return registry.changes
    .pipe(
      mergeMap(({ jobId }) => {
        const job = registry.get(jobId);
        if (job === undefined || watched.has(jobId) || isTerminal(job.state.phase)) return EMPTY;
        const { client, submissionId } = job.record;
        const previews = upstreams[client]?.previews?.(submissionId);
        if (previews === undefined) return EMPTY;
        watched.add(jobId);
        return previews.pipe(
          tap((preview) => registry.setPreview(jobId, preview)),
          // The next change of the job begins anew.
          catchError(() => EMPTY),
          finalize(() => watched.delete(jobId)),
        );
      }),
    )
    .subscribe({ error: () => undefined });
};
