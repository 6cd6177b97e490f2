/// <reference lib="esnext.disposable" preserve="true" />
import type { Call } from '../../core/interop/call.js';
import type {
  CallOptions,
  FileContent,
  UploadOptions,
  UploadSource,
  ViewOptions,
} from '../../core/http/rest-options.js';
import type { Client } from '../client-types.js';
import type { ClientOptions } from '../client-options.js';
import type { ClientStop } from '../../core/http/client-stop.js';
import type { DeleteOptions, Deletion } from '../dialects/deletion.js';
import type {
  DownloadOptions,
  DownloadSource,
  DownloadState,
  JobOfSource,
} from '../../core/files/download-state.js';
import type { FileRef, UploadedFile } from '../../core/protocol/file-ref.js';
import type { FollowOptions } from '../jobs/follow.js';
import type { Frame } from '../../core/protocol/frames/frame.js';
import type { GeneratedState, GenerateSource } from '../../generate/generate-types.js';
import type { GenerateOptions } from '../generate-options.js';
import type { IndexedJobState, Workflows } from '../jobs/run-all.js';
import type { JobState } from '../../core/state/job-state.js';
import type { JobsOptions } from '../dialects/jobs-query.js';
import type { LabelledSubmitOptions, RunAllOptions, RunOptions } from '../jobs/run.js';
import type { ListedJob } from '../../core/endpoints/job-list.js';
import type { Logger } from '../../core/log/logger.js';
import type { Observable } from 'rxjs';
import type { Outputs } from '../../core/state/outputs.js';
import type { Placement } from './placement.js';
import type { PoolServer } from '../../core/state/pool-server.js';
import type { PoolFile, PoolStartOptions, PoolTags } from './start-options.js';
import type { Workflow } from '../../core/protocol/workflow.js';

/** One server of a pool: the options of its client, and what it is to the pool. */
export interface ServerOptions extends Omit<ClientOptions, 'signal'> {
  /** Its name in states and calls; default host and port of `baseUrl`. */
  readonly name?: string | undefined;
  /** What it has that others may lack, such as `big`; a job that asks for tags goes only to servers that have all of them. */
  readonly tags?: readonly string[] | undefined;
  /** How many jobs it runs at once; default 1, or the number of its `tier`. */
  readonly slots?: number | undefined;
  /** How many jobs more it may hold, which wait there for those that run; default 1. */
  readonly ahead?: number | undefined;
}

/** When a job is submitted once more, to another server or to the same one. */
export interface PoolRules {
  /**
   * `lost`: where it is certain that its server has forgotten the job, and after `giveUpAfterMs`. `never`: its last state is
   * `untraceable` then. Default `lost` for servers of the local dialect and `never` for all others, where a run costs money.
   */
  readonly rerun?: 'lost' | 'never' | undefined;
  /** How long a server may be unreachable before its jobs are lost, in milliseconds; default Infinity. A server that comes back may have run them. */
  readonly giveUpAfterMs?: number | undefined;
  /** How long a job waits while every server that may run it is unreachable, before it errors with the reasons; in milliseconds, default Infinity. */
  readonly waitForServersMs?: number | undefined;
}

/** Options of `createPool`. */
export interface PoolOptions {
  /** At least one server. */
  readonly servers: readonly ServerOptions[];
  /** Chooses the server of each job; default `earliestEnd`. */
  readonly placement?: Placement | undefined;
  /** When a job is submitted once more. */
  readonly rules?: PoolRules | undefined;
  /** Ends the pool when it aborts, like `close()`. */
  readonly signal?: AbortSignal | undefined;
  /** Gets what the clients log, and which servers go and come; default that of each server's own options, else none. */
  readonly logger?: Logger | undefined;
}

/** The state of a job of a pool. */
export interface PoolJobState extends JobState {
  /** The server that has it; absent while it waits in the pool. */
  readonly server?: string;
  /** Which submission of it this is, from 1; grows where a server lost the job. Phases and progress begin anew with it. */
  readonly attempt: number;
}

/** A state of a job that `generate` of a pool runs. */
export interface GeneratedPoolState extends GeneratedState, PoolJobState {}

/** One job of a pool, as `Job` of a client; the pool follows it to its end. */
export interface PoolJob extends AsyncIterable<PoolJobState> {
  /** The id of the job on the server that has it; another one after that lost it and the job was submitted again. */
  readonly promptId: string;
  /** Replays the latest state, then each newer one; completes after the terminal one. Errors as `Job.states` does. */
  readonly states: Observable<PoolJobState>;
  /** The frames of the job, from whichever server runs it. Hot. */
  readonly frames: Observable<Frame>;
  /** Cancels it where it is; a job that waits in the pool is never submitted then. */
  readonly cancel: (options?: CallOptions) => Call<void>;
  /**
   * Whether it has to wait: for its turn, or for servers that are unreachable. Replays the latest value, false at first; it stays false while the pool
   * finds out which servers can run the job, and where one takes it at once.
   */
  readonly isWaiting: Observable<boolean>;
  /** Takes a job back that no server has been given: it ends as `cancelled`. False if one has, and nothing happens. */
  readonly withdraw: () => boolean;
  /** The outputs of the job; Left says why the job has no outputs, or not all of them. */
  readonly outputs: Call<Outputs>;
}

/** A job of a server's list. */
export interface PoolListedJob extends ListedJob {
  /** The server that lists it. */
  readonly server: string;
}

/** A state of one job of `runAll`. */
export interface IndexedPoolJobState extends IndexedJobState {
  /** The state of that job. */
  readonly state: PoolJobState;
}

/**
 * Many servers as one; made by `createPool`.
 *
 * Jobs wait in the pool, not on the servers: each goes where it is expected to end soonest, and a server that fails costs no job. What
 * programs use of a `Client` is here as well, and states tell the server. Nothing is opened before something is asked for; while jobs are open, or
 * `servers` is subscribed, each server is asked every ten seconds whether it is there.
 *
 * @example
 * ```ts
 * import type { Workflow } from 'promptwire';
 * import type { Pool } from 'promptwire/pool';
 * import { lastValueFrom } from 'rxjs';
 *
 * const run = async (pool: Pool, workflow: Workflow): Promise<string> => {
 *   const { server = 'none', phase } = await lastValueFrom(pool.run(workflow, { tags: ['big'] }));
 *   return `${server}: ${phase}`;
 * };
 * ```
 */
export interface Pool extends AsyncDisposable {
  /** Every frame of every socket that is open, each with its server. Hot; it keeps the sockets open while it is subscribed. */
  readonly frames: Observable<Frame & { readonly server: string }>;
  /**
   * What is known of each server: now for each new subscriber, then after each change. Never errors; completes with the pool. It keeps the process
   * alive while it is subscribed.
   */
  readonly servers: Observable<readonly PoolServer[]>;
  /** `none` while any server takes submissions; else why one of them refuses. */
  readonly stops: Observable<ClientStop>;
  /**
   * Starts a job and gives its handle at once, while it waits for a server. **Each call is one job that may cost money.**
   *
   * Its `promptId` is empty until a server has it; its states error where no server can run it.
   */
  readonly start: (workflow: Workflow, options?: PoolStartOptions) => PoolJob;
  /** Submits a workflow and gives its job once a server has accepted it. **Each run is one job that may cost money.** */
  readonly submit: (workflow: Workflow, options?: LabelledSubmitOptions & PoolTags) => Call<PoolJob>;
  /**
   * Runs a workflow: a cold stream of its states, one job for each subscription.
   *
   * The first states have the phase `submitting`: it waits in the pool, and `queue` says for what. Completes after the terminal state. Errors
   * where no server can run it (`InvalidWorkflow`, with the reasons of each), and as `run` of a client. Unsubscribing stops watching and
   * leaves the job alone, also one that waits; with `onUnsubscribe: 'cancel'` it is cancelled.
   */
  readonly run: (workflow: Workflow, options?: RunOptions & PoolTags) => Observable<PoolJobState>;
  /** Runs many workflows; takes the next one when the servers have a place for it. As `runAll` of a client. */
  readonly runAll: (
    workflows: Workflows,
    options?: Omit<RunAllOptions, 'tier'> & PoolTags,
  ) => Observable<IndexedPoolJobState>;
  /**
   * The way from inputs to named files, as `generate` of a client: files among the inputs go to every server that is there, since each of
   * them may get the job.
   */
  readonly generate: (
    workflow: GenerateSource,
    options?: GenerateOptions & PoolTags,
  ) => Observable<GeneratedPoolState>;
  /** Follows a job that exists already on any of the servers; errors with `NotFound` where none of them has it. */
  readonly follow: (promptId: string, options?: FollowOptions) => Observable<PoolJobState>;
  /** Lists the jobs of all servers, one server after the other. Errors as `jobs` of a client. */
  readonly jobs: (options?: JobsOptions) => Observable<PoolListedJob> & AsyncIterable<PoolListedJob>;
  /** Cancels a job, on the server that has it. Left `NotFound` where none has. */
  readonly cancel: (promptId: string, options?: CallOptions) => Call<void>;
  /** Cancels several jobs, each on the server that has it; Left is the first that could not be cancelled. */
  readonly cancelAll: (promptIds: readonly string[], options?: CallOptions) => Call<void>;
  /** Deletes a job, or a file of a server, as `delete` of a client; a file needs its `server`, or the `promptId` of its job. */
  readonly delete: (
    what: string | FileRef,
    options?: DeleteOptions & { readonly server?: string | undefined },
  ) => Call<Deletion>;
  /** Saves the files of a job's state; for outputs and lists name the `server`. */
  readonly download: <Source extends DownloadSource>(
    source: Source,
    dir: string,
    options?: DownloadOptions<JobOfSource<Source>> & { readonly server?: string | undefined },
  ) => Observable<DownloadState>;
  /**
   * Uploads a file to one of the servers that are there; a job that names it finds it on every server: it is copied to the one that gets the
   * job, once, before the submission, and once more where that one has lost it. A job whose file is on servers alone that are unreachable waits
   * for them. A service of API v2 has files of its own, which are not copied.
   */
  readonly upload: (source: UploadSource, options?: UploadOptions) => Call<UploadedFile>;
  /** Reads such a file again, from a server that has it. */
  readonly viewUpload: (file: UploadedFile, options?: ViewOptions) => Call<FileContent>;
  /** Has a server which has a picture make another one of it, with a mask as its alpha channel; it is copied like an upload. */
  readonly uploadMask: (
    mask: UploadSource,
    original: PoolFile,
    options?: UploadOptions,
  ) => Call<UploadedFile>;
  /** Adds a server. Throws `InvalidConfig` for options that can't work, and for a name or an address that the pool has. */
  readonly addServer: (server: ServerOptions) => void;
  /** Gives a server no new jobs, and removes it once its jobs have ended. Rejects with `InvalidConfig` for an unknown name, as `drainServer`. */
  readonly removeServer: (name: string) => Promise<void>;
  /** Gives a server no new jobs until `resumeServer`; both throw `InvalidConfig` for an unknown name. */
  readonly pauseServer: (name: string) => void;
  /** Ends `pauseServer` and `drainServer`, and trusts the server at once. */
  readonly resumeServer: (name: string) => void;
  /** Gives a server no new jobs, and resolves once those that it has are over. */
  readonly drainServer: (name: string) => Promise<void>;
  /** The client of a server, for calls that concern this one alone. Throws `InvalidConfig` for an unknown name. */
  readonly client: (name: string) => Client;
  /**
   * Finds the server that has a job, by its name: the one that the pool sent it to, else the one that says it knows the job. Servers
   * that are unreachable are asked again until they answer. Left `NotFound` where none knows it.
   */
  readonly serverOf: (promptId: string, options?: Pick<CallOptions, 'signal'>) => Call<string>;
  /** Refuses further jobs with `Draining`, and resolves once the jobs of the pool are over. */
  readonly drain: () => Promise<void>;
  /** Ends everything at once; jobs that run go on on their servers. Streams of jobs error with `Closed`. */
  readonly close: () => Promise<void>;
}
