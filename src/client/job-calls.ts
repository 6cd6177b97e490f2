import type { CallOptions } from '../core/http/rest.js';
import type { DeleteOptions, Deletion } from './dialects/deletion.js';
import type { FileRef } from '../core/protocol/file-ref.js';
import type { JobList } from './jobs/list-jobs.js';
import type { JobsOptions } from './dialects/jobs-query.js';
import type { Call } from '../core/interop/call.js';

/** What a client does with jobs that the service has, by their ids. */
export interface JobCalls {
  /**
   * Asks for the end of one job by its id, whether it waits or runs, and touches no other job.
   *
   * Lazy. Right says that the service took the request; the job's states report how it ends, and a job near its end may still
   * complete. While the client lives it repeats the request, after 1 s and then ever more rarely, until the job has ended: an engine may
   * lose one. Left `CancelNotApplied` where the job goes on, `NotFound` where the service says that it does not know the id.
   * A local engine of before September 2025 interrupts what runs, whatever id it gets: the client asks its queue first, and one
   * round trip remains in which the next job may have begun (docs/protocol.md, L.18).
   *
   * @example
   * ```ts
   * import { toPromise, type Client } from 'promptwire';
   *
   * const stop = (client: Client, promptId: string) => toPromise(client.cancel(promptId));
   * ```
   */
  readonly cancel: (promptId: string, options?: CallOptions) => Call<void>;
  /**
   * Asks for the end of these jobs as `cancel` does, some hundred at a time where the service can.
   *
   * Lazy. Right says that the service took each request. A job that it does not know or does not take hinders none of the others: all are
   * asked, and Left is the first refusal. Nothing is sent for an empty list.
   *
   * @example
   * ```ts
   * import { toPromise, type Client } from 'promptwire';
   *
   * const cancelWaiting = async (client: Client) => {
   *   const waiting: string[] = [];
   *   for await (const { promptId } of client.jobs({ status: 'pending' })) waiting.push(promptId);
   *   await toPromise(client.cancelAll(waiting));
   * };
   * ```
   */
  readonly cancelAll: (promptIds: readonly string[], options?: CallOptions) => Call<void>;
  /**
   * Lists the jobs of the service, the newest first: those of the account, on a local server those of all programs.
   *
   * Cold: each subscription lists anew, page by page, and completes after the last page; a job that moves to another page meanwhile comes
   * once. As an async iterable it asks for a page when it is needed. A listed job has no outputs: `rest.jobDetail` reads them. Errors with
   * `NotSupported` where the server has no such list (engines before 0.6.0, services of the interface document alone) or can't narrow it so:
   * `labels` are of API v2, `workflowId` is of the others. Unsubscribing aborts the request (docs/protocol.md, chapters 2.13, 11 and 12.5).
   *
   * @example
   * ```ts
   * import type { Client } from 'promptwire';
   * import { count, lastValueFrom } from 'rxjs';
   *
   * const failed = (client: Client): Promise<number> =>
   *   lastValueFrom(client.jobs({ status: 'failed' }).pipe(count()));
   * ```
   */
  readonly jobs: (options?: JobsOptions) => JobList;
  /**
   * Deletes a job that has ended, or one of its files, as far as the server can.
   *
   * Lazy. A cloud service with the whole jobs API deletes a job with its files, and one file of `promptId`; API v2 deletes files and no
   * jobs; a local server forgets the job's record and keeps its files on the disk (`files` is `kept`). Left `NotSupported` for what the
   * server can't do and for a job that has not ended, `NotFound` for a job that it does not know, `UnexpectedStatus` with status 409 where
   * another job takes a file.
   *
   * @example
   * ```ts
   * import { toPromise, type Client } from 'promptwire';
   *
   * const forget = async (client: Client, promptId: string): Promise<boolean> =>
   *   (await toPromise(client.delete(promptId))).files === 'deleted';
   * ```
   */
  readonly delete: (what: string | FileRef, options?: DeleteOptions) => Call<Deletion>;
}
