import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type { ServiceError } from '../protocol/errors.js';
import type { JobPhase } from '../protocol/job-phase.js';
import type { JobFailure } from '../protocol/job-failure.js';
import type { NodeErrors } from '../protocol/node-errors.js';
import type { Outputs } from '../protocol/outputs.js';
import type { Workflow } from '../protocol/workflow.js';

/** What every call takes. */
export interface CallOptions {
  /** Deadline of the whole call; default 60 000 for JSON, 30 000 of silence for bodies. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** What a submission takes besides the workflow. */
export interface SubmitOptions extends CallOptions {
  /** Sent as `extra_data`; the credential fields are filled by `partnerKey` only. */
  readonly extraData?: Readonly<Record<string, unknown>>;
  /** `true` sends the API key itself to the partner nodes, a string that key; never sent unless asked. */
  readonly partnerKey?: true | string;
}

/** The answer of an accepted submission. */
export interface Submission {
  readonly promptId: string;
  readonly number?: number;
  /** Branches that were dropped while the rest was accepted. */
  readonly nodeErrors: NodeErrors;
}

/** The status endpoint's answer, its word already read as a phase (unknown and moving words: no terminal phase). */
export interface JobStatus {
  readonly promptId: string;
  /** As on the wire. */
  readonly status: string;
  readonly phase: Extract<JobPhase, 'pending' | 'in_progress' | 'completed' | 'failed' | 'cancelled'>;
  readonly failure?: JobFailure;
  readonly createdAt?: string;
  readonly updatedAt?: string;
}

/** One job's record. */
export interface History {
  readonly promptId: string;
  readonly outputs: Outputs;
  /** How it ended, where the record says so. */
  readonly phase?: Extract<JobPhase, 'completed' | 'failed' | 'cancelled'>;
  readonly failure?: JobFailure;
  /** The record as sent. */
  readonly record: Readonly<Record<string, unknown>>;
}

/** One job of the queue listing. */
export interface QueueItem {
  readonly promptId: string;
  /** Position (cloud) or priority (local). */
  readonly number: number;
  readonly createdAt?: number;
}

/** Jobs that run and jobs that wait, the next one first. */
export interface Queue {
  readonly running: readonly QueueItem[];
  readonly pending: readonly QueueItem[];
}

/** What the service calls an uploaded file; use `name` in the workflow. */
export interface UploadedFile {
  readonly name: string;
  readonly subfolder: string;
  readonly type: string;
}

/** What to upload: bytes or a blob with a name, or a path where the platform has files. */
export type UploadSource = string | { readonly content: Blob | Uint8Array; readonly filename: string };

/** Options of `uploadImage` and `uploadMask`. */
export interface UploadOptions extends CallOptions {
  /** Default `input`. */
  readonly type?: 'input' | 'temp' | 'output';
  readonly subfolder?: string;
  /** Sent as text. */
  readonly overwrite?: boolean;
}

/** Names one file of the service. */
export interface FileRef {
  readonly filename: string;
  /** Default empty. */
  readonly subfolder?: string;
  /** Default `output`. */
  readonly type?: string;
}

/** Options of `view`. */
export interface ViewOptions extends CallOptions {
  readonly channel?: 'rgb' | 'a';
  /** Longest edge of a reduced picture, 64 to 1024. */
  readonly res?: number;
}

/** A file on its way; read `body` once or call `discard`. */
export interface FileContent {
  readonly mediaType: string;
  /** Bytes to come, where the storage told. */
  readonly size?: number;
  readonly body: AsyncIterable<Uint8Array>;
  readonly discard: () => void;
}

/** Class name → definition, as sent; each entry was checked for the members that the interface promises. */
export type ObjectInfo = Readonly<Record<string, NodeInfo>>;

/** One node class of `object_info`; unknown members are kept. */
export interface NodeInfo {
  readonly input: {
    readonly required?: Readonly<Record<string, readonly unknown[]>>;
    readonly optional?: Readonly<Record<string, readonly unknown[]>>;
    readonly hidden?: Readonly<Record<string, unknown>>;
  };
  readonly output: readonly unknown[];
  readonly output_node: boolean;
  readonly name: string;
  readonly display_name?: string | null;
  readonly category: string;
  readonly description?: string;
  readonly [more: string]: unknown;
}

/** Whom the key belongs to. */
export interface User {
  readonly id?: string;
  readonly status: string;
}

/** Every REST endpoint of the interface; each call is lazy, never rejects, and is repeated by running it again. */
export interface Rest {
  readonly objectInfo: (options?: CallOptions & { readonly nodeClass?: string }) => TaskEither<ServiceError, ObjectInfo>;
  readonly uploadImage: (source: UploadSource, options?: UploadOptions) => TaskEither<ServiceError, UploadedFile>;
  readonly uploadMask: (
    source: UploadSource,
    original: FileRef,
    options?: UploadOptions,
  ) => TaskEither<ServiceError, UploadedFile>;
  readonly submit: (workflow: Workflow, options?: SubmitOptions) => TaskEither<ServiceError, Submission>;
  readonly jobStatus: (promptId: string, options?: CallOptions) => TaskEither<ServiceError, JobStatus>;
  /** `NotFound` while there is no record yet. */
  readonly history: (promptId: string, options?: CallOptions) => TaskEither<ServiceError, History>;
  readonly view: (file: FileRef, options?: ViewOptions) => TaskEither<ServiceError, FileContent>;
  readonly queue: (options?: CallOptions) => TaskEither<ServiceError, Queue>;
  /** Asks for the end of these jobs; `deleted` is absent where the service does not say. */
  readonly cancel: (
    promptIds: readonly string[],
    options?: CallOptions,
  ) => TaskEither<ServiceError, { readonly deleted?: readonly string[] }>;
  /** Without `promptId` this ends what runs for the whole account: only for who wants exactly that. */
  readonly interrupt: (options?: CallOptions & { readonly promptId?: string }) => TaskEither<ServiceError, void>;
  readonly user: (options?: CallOptions) => TaskEither<ServiceError, User>;
}
