import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type { Observable } from 'rxjs';
import type { Connection } from './client-options.js';
import type { IndexedJobState } from './job/indexed-job-state.js';
import type { RunAllOptions, RunOptions } from './job/run-options.js';
import type { DownloadOptions, DownloadState } from './http/download-state.js';
import type { CallOptions, Rest, SubmitOptions } from './http/rest.js';
import type { Job } from './job/job.js';
import type { ServiceError } from './protocol/errors/errors.js';
import type { Frame } from './protocol/frames/frame.js';
import type { JobState } from './protocol/state/job-state.js';
import type { OutputFile } from './protocol/outputs/output-files.js';
import type { Outputs } from './protocol/outputs/outputs.js';
import type { Workflow } from './protocol/workflow/workflow.js';

/** A submission whose answer came after its watcher had left; the job runs. */
export interface RecentSubmission {
  readonly promptId: string;
  /** Milliseconds since 1970. */
  readonly submittedAt: number;
}

/** One service, one connection; made by `createClient`. */
export interface Client extends AsyncDisposable {
  /** Every frame of the socket, hot and multicast; connects with the first subscriber, never errors on a bad frame. */
  readonly frames: Observable<Frame>;
  readonly connection: Connection;
  readonly rest: Rest;
  /** Submissions that outlived their watcher, the latest last, at most 100. */
  readonly recent: readonly RecentSubmission[];
  readonly submit: (workflow: Workflow, options?: SubmitOptions) => TaskEither<ServiceError, Job>;
  readonly run: (workflow: Workflow, options?: RunOptions) => Observable<JobState>;
  readonly follow: (promptId: string, options?: { readonly signal?: AbortSignal }) => Observable<JobState>;
  readonly runAll: (workflows: Iterable<Workflow>, options?: RunAllOptions) => Observable<IndexedJobState>;
  readonly cancel: (promptId: string, options?: CallOptions) => TaskEither<ServiceError, void>;
  readonly download: (
    outputs: Outputs | readonly OutputFile[],
    dir: string,
    options?: DownloadOptions,
  ) => Observable<DownloadState>;
  /** Ends a billing or auth stop; nothing is submitted again. */
  readonly resume: () => void;
  /** Changes the key for everything from now on and ends an auth stop. */
  readonly setKey: (apiKey: string) => void;
  /** Ends everything at once: socket, timers, requests; streams error with `Closed`. */
  readonly close: () => Promise<void>;
}
