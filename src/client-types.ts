/// <reference lib="esnext.disposable" preserve="true" />
import type { CallOptions, Rest } from './http/rest.js';
import type { ClientStop } from './http/client-stop.js';
import type { Connection } from './client-options.js';
import type { DownloadOptions, DownloadSource, DownloadState, JobOfSource } from './files/download-state.js';
import type { Frame } from './protocol/frames/frame.js';
import type { IndexedJobState, Workflows } from './jobs/run-all.js';
import type { Job } from './jobs/job-handle.js';
import type { JobState } from './state/job-state.js';
import type { LabelledSubmitOptions, RunAllOptions, RunOptions } from './jobs/run.js';
import type { Observable } from 'rxjs';
import type { RecentSubmission } from './jobs/recent-submissions.js';
import type { ServiceError } from './errors/errors.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type { Workflow } from './protocol/workflow.js';

/** One service, one connection; made by `createClient`. */
export interface Client extends AsyncDisposable {
  /**
   * Every frame of the socket, hot and multicast; connects with the first subscriber, never errors on a bad frame, and completes
   * with the client.
   */
  readonly frames: Observable<Frame>;
  readonly connection: Connection;
  /**
   * Whether the service has refused this client, replayed to late subscribers; completes with the client.
   *
   * @example
   * ```ts
   * import type { Client } from 'promptwire';
   *
   * const banner = (client: Client) =>
   *   client.stops.subscribe((stop) => console.log(stop._tag === 'none' ? 'submissions go out' : stop.reason));
   * ```
   */
  readonly stops: Observable<ClientStop>;
  readonly rest: Rest;
  /**
   * Submissions whose job may run without a subscriber here, the latest last, at most 100: those whose subscriber left
   * before the answer, and those of unknown outcome.
   */
  readonly recent: readonly RecentSubmission[];
  readonly submit: (workflow: Workflow, options?: LabelledSubmitOptions) => TaskEither<ServiceError, Job>;
  readonly run: (workflow: Workflow, options?: RunOptions) => Observable<JobState>;
  readonly follow: (
    promptId: string,
    options?: { readonly signal?: AbortSignal | undefined },
  ) => Observable<JobState>;
  /**
   * Gives the handle of a job that exists already, by its id; submits nothing.
   *
   * The client follows the job from this call on, as `submit` does: to its end, with and without subscribers. States, errors and
   * unknown ids are as with `follow`. `frames` begins with this call; a local server sends none of a job that another program
   * submitted. `drain` does not wait for it.
   *
   * @example
   * ```ts
   * import { toPromise, type Client } from 'promptwire';
   *
   * const outputsOf = (client: Client, promptId: string) => toPromise(client.job(promptId).outputs);
   * ```
   */
  readonly job: (promptId: string) => Job;
  readonly runAll: (workflows: Workflows, options?: RunAllOptions) => Observable<IndexedJobState>;
  readonly cancel: (promptId: string, options?: CallOptions) => TaskEither<ServiceError, void>;
  /**
   * Saves the files of a job's state, of outputs or of a list into a folder, which is made where it is missing.
   *
   * Cold: each subscription downloads anew, and emits snapshots, the last one with `done: true`. Files that fail do not stop
   * the others; then the stream errors with `DownloadFailed` or the like. Unsubscribing stops everything and removes what is
   * not whole. A page has no disk: there it errors with `InvalidConfig`.
   *
   * @example
   * ```ts
   * import type { Client, JobState } from 'promptwire';
   *
   * const save = (client: Client, state: JobState) =>
   *   client.download(state, 'pictures', {
   *     filter: ({ type }) => type === 'output',
   *     name: ({ filename }, { promptId }, index) => `${promptId.slice(0, 8)}-${index}-${filename}`,
   *   });
   * ```
   */
  readonly download: <Source extends DownloadSource>(
    source: Source,
    dir: string,
    options?: DownloadOptions<JobOfSource<Source>>,
  ) => Observable<DownloadState>;
  /** Ends a billing or auth stop at once; nothing is submitted again. */
  readonly resume: () => void;
  /** Changes the key for everything from now on, reopens the socket with it and ends every stop. */
  readonly setKey: (apiKey: string) => void;
  /**
   * Refuses further submissions with `Draining`, and resolves once every earlier one is settled: it has its answer, and its
   * job is over or no longer followed. Everything else goes on working; call `close` afterwards.
   */
  readonly drain: () => Promise<void>;
  /**
   * Ends everything at once: socket, timers, requests. Streams that end with their job (`run`, `follow`, `runAll`, `Job.states`)
   * error with `Closed`, submissions that are under way with `OutcomeUnknown`; `frames`, `Job.frames`, `connection` and `stops`
   * complete.
   */
  readonly close: () => Promise<void>;
}
