import type { ImagePlace, JobImage } from '../../joblog/job-images.js';
import type { FileContent, ViewOptions } from '../../../core/http/rest-options.js';
import type { FileRef } from '../../../core/protocol/file-ref.js';
import type { JobPhase, JobState } from '../../../core/state/job-state.js';
import type { OutputKind } from '../../../core/state/output-files.js';
import type { ServiceError } from '../../../core/errors/errors.js';
import type { Workflow } from '../../../core/protocol/workflow.js';
import type { JobRecord, KeptSubmission } from '../../joblog/job-index.js';
import type { LogScope } from '../../joblog/event-log.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type { Webhooks } from './webhooks.js';

/** The owner of jobs: the caller that `authorize` names. */
export interface JobOwner {
  readonly name: string;
  /** Limits of this owner in place of those of all: how many jobs may be under way, and how much may be kept. */
  readonly limits?:
    { readonly jobs?: number | undefined; readonly keptBytes?: number | undefined } | undefined;
}

/** One job as the gateway knows it, also while the service is down. */
export interface GatewayJob {
  readonly record: JobRecord;
  /** The last known state. */
  readonly state: JobState;
  /** When it began to run: the service's clock, or else the gateway's, in milliseconds since 1970. */
  readonly startedAt?: number;
  /** When it ended, likewise. */
  readonly endedAt?: number;
}

/** What a caller submits. */
export interface GatewaySubmission {
  /** As the caller sent it; it is kept, and its owner gets it back. */
  readonly workflow: Workflow;
  /** What the service gets in its place: references to the gateway's assets are replaced. */
  readonly resolved?: Workflow | undefined;
  /** The files that it names then. */
  readonly files?: KeptSubmission['files'] | undefined;
  /** Sent as `extra_data`; must hold no credential. */
  readonly extraData?: Readonly<Record<string, unknown>> | undefined;
  /** The caller's own key for partner nodes; never stored. */
  readonly partnerKey?: string | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** The idempotency key. */
  readonly key?: string | undefined;
  /** Whether a repeated submission (the same key and workflow) gets the first answer; by default it is `keyUsed`. */
  readonly replay?: boolean | undefined;
  readonly template?: string | undefined;
  /** Which of the gateway's clients takes it; default the first. */
  readonly client?: string | undefined;
}

/** What became of a submission. */
export type SubmitResult =
  /**
   * There is a job. Its phase is `unknown` where it stays open whether the service took it: `error` says why then, and the key
   * stays used.
   */
  | {
      readonly _tag: 'accepted';
      readonly job: GatewayJob;
      readonly replayed: boolean;
      readonly error?: ServiceError;
    }
  /** The caller has used the key before. */
  | { readonly _tag: 'keyUsed' }
  /** The service refused it: there is no job, and the key may be used again. */
  | { readonly _tag: 'refused'; readonly error: ServiceError }
  /** There is no room for more; `of` names the bound: the owner's jobs under way, what is kept of it, or what is kept of all. */
  | { readonly _tag: 'limit'; readonly of: 'jobs' | 'keptBytes' | 'all'; readonly retryAfterS: number };

/** What became of a request to end a job. */
export type CancelResult =
  /** The job as it is now; `requested` is false if it was over already. */
  | { readonly _tag: 'taken'; readonly job: GatewayJob; readonly requested: boolean }
  /** The service did not take the request; the gateway remembers it and the job goes on. */
  | { readonly _tag: 'failed'; readonly job: GatewayJob; readonly error: ServiceError };

/** What became of a request to delete a job. */
export type DeleteResult =
  /** It is unknown from now on; `kept` where the service still has its files, as it deletes none or no longer knows the job. */
  | { readonly _tag: 'deleted'; readonly files: 'deleted' | 'kept' }
  /** It has not ended, so it is still there. */
  | { readonly _tag: 'running' }
  /** The service, which has its files, is unreachable: the job is still there. */
  | { readonly _tag: 'failed'; readonly error: ServiceError };

/** Which of a caller's jobs to list. */
export interface JobFilter {
  readonly phase?: readonly JobPhase[] | undefined;
  /** Pairs that the job's metadata must have. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  readonly template?: string | undefined;
  /** The name of the template, or the job's label `workflow`. */
  readonly workflow?: string | undefined;
  /** Words that the job's texts must have: its prompts, labels, titles and file names. */
  readonly text?: string | undefined;
  /** The kind of one of its outputs, temporary files left out. */
  readonly kind?: OutputKind | undefined;
  /** Submitted then or later, in milliseconds since 1970. */
  readonly since?: number | undefined;
  /** Submitted before then, likewise. */
  readonly until?: number | undefined;
  /** The `next` of the page before. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/** A page of jobs, the newest first; `next` is absent on the last one. */
export interface JobPage {
  readonly jobs: readonly GatewayJob[];
  readonly next?: string;
}

/** The newest preview of one node of a job. */
export interface GatewayPreview {
  /** Changes with each preview of the job. */
  readonly id: string;
  readonly nodeId: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** Where a stream of events begins. */
export interface StreamStart {
  /** The id of the last event that the reader has: the stream goes on after it. */
  readonly after?: string | undefined;
  /** Without `after`: `start` for all that is kept, `latest` for what comes from now on; default a snapshot, then what comes. */
  readonly from?: 'start' | 'latest' | undefined;
}

/** How a stream is written. */
export interface StreamForm {
  /** The gateway's own events or those of API v2, which are of one job. */
  readonly view: 'native' | 'v2';
  readonly format: 'sse' | 'ndjson';
  /** What stands before `/jobs` in addresses: origin and mount of the request; needed for previews and outputs. */
  readonly base: string;
  /** Gives what lets a page fetch previews by their addresses alone; without it, addresses carry no ticket. */
  readonly previewTicket?: (() => string | Promise<string>) | undefined;
}

/** How long to wait for the end of a job. */
export interface EndWait {
  readonly withinMs: number;
  /** The caller has left. */
  readonly left: AbortSignal;
}

/** What ends a stream before its last event. */
export interface StreamEnds {
  /** The reader has left: frees the stream at once. */
  readonly aborted?: AbortSignal | undefined;
  /** The reader may not go on: says so, and ends. */
  readonly revoked?: AbortSignal | undefined;
  /** Called once when the stream has ended, whatever ended it. */
  readonly ended?: (() => void) | undefined;
  /** Counts what a reader has got and not yet taken, where that is large; the stream is cut where `add` throws. */
  readonly hold?: { readonly add: (bytes: number) => void; readonly release: () => void } | undefined;
}

/** The jobs of all callers: what the routes use. A job of another caller is unknown. */
export interface GatewayJobs {
  /** The webhooks of all owners, where the gateway sends any. */
  readonly webhooks?: Webhooks | undefined;
  /** Submits at most once; of equal submissions with one key at once, one reaches the service. */
  readonly submit: (owner: JobOwner, submission: GatewaySubmission) => Promise<SubmitResult>;
  readonly get: (owner: JobOwner, id: string) => Promise<GatewayJob | undefined>;
  /**
   * Undefined if `after` is no `next` of such a list; the job that it names may be forgotten meanwhile. A search makes a pause before it
   * begins, if it has words, and after each slice of its work.
   */
  readonly list: (
    owner: JobOwner,
    filter: JobFilter,
    pause?: () => Promise<void>,
  ) => Promise<JobPage | undefined>;
  /** Waits for the end of a job, so long and while the caller has not left: gives the job as it is then. */
  readonly ended: (job: GatewayJob, wait: EndWait) => Promise<GatewayJob>;
  readonly cancel: (owner: JobOwner, id: string) => Promise<CancelResult | undefined>;
  /** Deletes a job that has ended, with its events and pictures; its idempotency key stays used. */
  readonly delete: (owner: JobOwner, id: string) => Promise<DeleteResult | undefined>;
  /**
   * Opens a stream of events as bytes; undefined if the job is unknown, `over` where the reader has the last event of its job.
   *
   * Reading is what drives it: nothing is made for a reader that does not read, and one that reads nothing for `stallMs` is cut.
   * Aborting or cancelling the stream frees it at once. It ends after the last event of its job; that of an owner does not.
   */
  readonly stream: (
    scope: LogScope,
    form: StreamForm,
    start: StreamStart,
    ends?: StreamEnds,
  ) => Promise<ReadableStream<Uint8Array> | 'over' | undefined>;
  /** The newest preview of a node while the job runs; without `nodeId`, of any node. */
  readonly preview: (owner: JobOwner, id: string, nodeId?: string) => Promise<GatewayPreview | undefined>;
  /** A picture that the job sent over the socket; undefined if it is not kept. */
  readonly image: (job: GatewayJob, place: ImagePlace) => Promise<JobImage | undefined>;
  /** Reads a file of a job from the service that has it. */
  readonly view: (
    job: GatewayJob,
    file: FileRef,
    options?: ViewOptions,
  ) => TaskEither<ServiceError, FileContent>;
  /** Sends `reconnect` to every reader, ends the streams and stops following; the jobs go on. */
  readonly close: () => Promise<void>;
}
