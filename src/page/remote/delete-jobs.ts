import { isJsonObject } from '../../core/protocol/json/json.js';
import { pathPart } from '../../core/protocol/path-part.js';
import type { Remote } from './remote.js';

/** What `deleteJobs` did with one job. */
export interface DeletedJob {
  /** The job. */
  readonly id: string;
  /**
   * `deleted`; `running`, it has not ended, so it is still there; `unknown`, the caller has no such job; `failed`, the service that has its files is
   * unreachable, so it is still there.
   */
  readonly result: 'deleted' | 'running' | 'unknown' | 'failed';
  /** Of a job that was deleted: `kept` where the service still has its files, as it deletes none. */
  readonly files?: 'deleted' | 'kept';
}

/**
 * Deletes a job that has ended: the gateway forgets it with its events, and the service deletes its files where it can.
 *
 * Resolves with `kept` where the service still has the files. Rejects with a `ServiceError`: `NotFound` where the caller has no such job,
 * `BadRequest` with the `errorType` `job_running` for one that has not ended, `ServerError` where the service is unreachable.
 *
 * @example
 * ```ts
 * import { deleteJob, type Remote } from 'promptwire/remote';
 *
 * const forget = (remote: Remote, id: string): Promise<'deleted' | 'kept'> => deleteJob(remote, id);
 * ```
 */
export const deleteJob = ({ ask }: Pick<Remote, 'ask'>, id: string): Promise<'deleted' | 'kept'> =>
  ask({ method: 'DELETE', path: `/jobs/${pathPart(id)}` }, (answer) =>
    isJsonObject(answer) ? filesOf(answer['files']) : undefined,
  );

/**
 * Deletes up to 100 jobs by one request, as {@link deleteJob} does, and says of each what became of it. Rejects with a `ServiceError`
 * where the gateway refuses the request.
 */
export const deleteJobs = (
  { ask }: Pick<Remote, 'ask'>,
  ids: readonly string[],
): Promise<readonly DeletedJob[]> =>
  ask({ method: 'DELETE', path: `/jobs?${new URLSearchParams(ids.map((id) => ['id', id]))}` }, (answer) =>
    isJsonObject(answer) && Array.isArray(answer['jobs']) && answer['jobs'].every(isDeletedJob)
      ? answer['jobs']
      : undefined,
  );

const filesOf = (value: unknown): 'deleted' | 'kept' | undefined =>
  value === 'deleted' || value === 'kept' ? value : undefined;

const isDeletedJob = (value: unknown): value is DeletedJob =>
  isJsonObject(value) && typeof value['id'] === 'string' && typeof value['result'] === 'string';
