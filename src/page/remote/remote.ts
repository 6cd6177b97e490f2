import type { JobWebhook } from './job-webhook.js';
import type { JobState } from '../../core/state/job-state.js';
import type { Logger } from '../../core/log/logger.js';
import type { Preview } from '../../core/protocol/frames/frame.js';
import type { Workflow } from '../../core/protocol/workflow.js';
import type { Observable } from 'rxjs';
import type { RemoteAsk } from './ask.js';
import type { RemoteConnection } from './connection.js';
import type { RemoteJobPage, RemoteListOptions } from './list.js';
import type { RemoteOutput, RemoteOutputsOptions } from './outputs.js';
import type { RemoteUploadOptions, UploadState } from './upload.js';
import type { RemoteServer } from '../../core/events/remote-server.js';
import type { TokenSource } from './tokens.js';

/** Options of `createRemote`. */
export interface RemoteOptions {
  /** Where the gateway is, with its mount; default the page's own origin. */
  readonly url?: string | undefined;
  /** Sent with each request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Sent as `Authorization: Bearer …`; a callback is asked again once the gateway refuses its token, and before it ends. */
  readonly token?: TokenSource | undefined;
  /**
   * Whether cookies go along to a gateway of another origin, as `credentials` of `fetch`: `include` needs `allowCredentials` of the gateway.
   * Default `same-origin`.
   */
  readonly credentials?: 'omit' | 'same-origin' | 'include' | undefined;
  /** In place of the global `fetch`: the `fetch` of a gateway in the same program, or one that sends cookies elsewhere. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /**
   * Names whose jobs these are, such as the id of the signed-in user: tabs with the same name share one stream, which one of them holds.
   * Default: each tab has a stream of its own, as tabs may be signed in differently.
   */
  readonly account?: string | undefined;
  /** Gets each request and how the stream fares; `console` is a logger. Default: nothing is logged. */
  readonly logger?: Logger | undefined;
  /** How long the stream stays open after the last one who watched, in milliseconds; default 5000. */
  readonly lingerMs?: number | undefined;
}

/** Options of `remote.run` and `remote.runTemplate`. */
export interface RemoteRunOptions {
  /** Kept with the job; lists can be filtered by it. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** Two submissions with one key are one job; default a new key for each subscription. */
  readonly idempotencyKey?: string | undefined;
  /**
   * Sends what happens to this job to an address of yours, beside the webhook of the caller. A gateway that sends no webhooks refuses the
   * submission.
   */
  readonly webhook?: JobWebhook | undefined;
  /** What unsubscribing before the end does to the job: default `detach`, it goes on. */
  readonly onUnsubscribe?: 'detach' | 'cancel' | undefined;
}

/**
 * The jobs of one caller behind a gateway; made by `createRemote`.
 *
 * Nothing is opened before something is watched. All that is watched shares one stream, which reconnects by itself and goes on without
 * a hole. The id of a job is the `promptId` of its states.
 */
export interface Remote {
  /**
   * Submits a workflow and follows its job. **Each subscription is one submission.**
   *
   * Cold. Emits a state with the phase `submitting`, then each newer one, and completes after the terminal one: a job that fails or
   * is cancelled is such a state and no error. A submission whose answer is lost is sent again with the same key, and the gateway
   * gives the first answer: nothing is paid twice. Errors with a `ServiceError`: the gateway's refusal, or `OutcomeUnknown` where no
   * answer came at all. Integers that may have been rounded before they came here are among the `problems` of its states. Unsubscribing leaves the job alone, unless `onUnsubscribe` is `cancel`.
   *
   * @example
   * ```ts
   * import type { Remote } from 'promptwire/remote';
   * import type { Workflow } from 'promptwire';
   *
   * const run = (remote: Remote, workflow: Workflow) =>
   *   remote.run(workflow).subscribe(({ phase, progress }) => console.log(phase, progress));
   * ```
   */
  readonly run: (workflow: Workflow, options?: RemoteRunOptions) => Observable<JobState>;
  /**
   * Submits a template of the gateway by its name and follows its job, as `run` does; `InvalidInputs` names what is wrong with the inputs.
   *
   * @example
   * ```ts
   * import type { Remote } from 'promptwire/remote';
   *
   * const paint = (remote: Remote, prompt: string) => remote.runTemplate('picture', { prompt });
   * ```
   */
  readonly runTemplate: (
    name: string,
    inputs: Readonly<Record<string, unknown>>,
    options?: RemoteRunOptions,
  ) => Observable<JobState>;
  /**
   * Follows a job by its id; submits nothing.
   *
   * Cold. Emits the state that is known, then each newer one, and completes after the terminal one, also of a job that ended long
   * ago. Errors with `NotFound` where the caller has no such job, and with the gateway's refusal of the stream; a cut is no error.
   */
  readonly follow: (id: string) => Observable<JobState>;
  /**
   * The preview pictures of a job while it runs, each node's newest; completes with the job. One is fetched at a time: what is
   * replaced before its turn is left out. Errors as `follow` does. `objectUrls()` makes addresses for an `<img>` of them.
   */
  readonly previews: (id: string) => Observable<Preview>;
  /** Lists the caller's jobs, the newest first; rejects with a `ServiceError`. */
  readonly list: (options?: RemoteListOptions) => Promise<RemoteJobPage>;
  /**
   * Asks for the end of a job; how it ended is what its states say. Resolves with `false` if the job was over before. Rejects with
   * a `ServiceError`.
   */
  readonly cancel: (id: string) => Promise<boolean>;
  /**
   * The ids of jobs that the gateway no longer has: somebody deleted them with `deleteJob`, in any page of the caller, or their time is over.
   *
   * Hot, as long as the stream is open, which a subscription opens: a deletion during a cut is not repeated. Never completes before the remote is
   * closed, and errors with the gateway's refusal of the stream.
   *
   * @example
   * ```ts
   * import type { Remote } from 'promptwire/remote';
   *
   * const forget = (remote: Remote, rows: Map<string, unknown>) => remote.deleted.subscribe((id) => rows.delete(id));
   * ```
   */
  readonly deleted: Observable<string>;
  /** Sends a file on subscribe: `uploading` as it goes, then `uploaded`. Errors with a `ServiceError`; unsubscribing aborts it. */
  readonly upload: (content: Blob, options?: RemoteUploadOptions) => Observable<UploadState>;
  /**
   * Lists the files of a job so far, to fetch or to show: its outputs, with `include: 'temp'` the temporary files of preview nodes as well.
   * Rejects with a `ServiceError`.
   */
  readonly outputs: (id: string, options?: RemoteOutputsOptions) => Promise<readonly RemoteOutput[]>;
  /**
   * Sends a request to the gateway with the token, the retries and the errors of all other calls, and gives what `read` makes of its JSON:
   * what `definitions`, `preflight` and others are made of. It is sent again where that may help, so let it be one that may be repeated.
   * Rejects with a `ServiceError`: `Decode` where `read` gives undefined.
   */
  readonly ask: RemoteAsk;
  /**
   * The servers behind the gateway, for a caller with the right to see them: all of them now, then after each change.
   *
   * Cold, by a connection of its own, which comes back by itself. Never completes before the remote is closed. Errors with `Forbidden` for a
   * caller without the right, and with `NotSupported` where the gateway has no servers of its own.
   *
   * @example
   * ```ts
   * import type { Remote } from 'promptwire/remote';
   *
   * const table = (remote: Remote) =>
   *   remote.servers.subscribe((servers) => {
   *     for (const { name, health, running, waiting } of servers) console.log(name, health, running, waiting);
   *   });
   * ```
   */
  readonly servers: Observable<readonly RemoteServer[]>;
  /** The state of the stream: the current one for each new subscriber, then each change. Completes after `closed`. */
  readonly connection: Observable<RemoteConnection>;
  /** Ends the stream; what is watched errors with `Closed`, and so does what is asked for later. The jobs go on. */
  readonly close: () => void;
}
