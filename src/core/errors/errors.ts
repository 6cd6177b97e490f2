import type { JobFailure } from '../state/failure.js';
import type { NodeErrors } from '../state/node-errors.js';
import type { InputProblem, Problem } from '../protocol/problem.js';
import type { Outputs } from '../state/outputs.js';

/**
 * Whether the failed operation may be repeated: `never` (it would fail again or do harm), `after` (it may succeed after a
 * wait, of at least `retryAfterMs` where given) or `unknown outcome` (it may have taken effect: check before you repeat it).
 */
export type Retry = 'never' | 'after' | 'unknown outcome';

/** What every {@link ServiceError} carries besides its tag. */
export interface ServiceErrorFields {
  /** What the user can do about it. */
  readonly hint: string;
  /** The address of the tag's page: what happened, how to tell, what to do. A getter, so that JSON has the `_tag` alone. */
  readonly docsUrl: string;
  /** Whether the operation may be repeated. */
  readonly retry: Retry;
  /** The job that the error is about, where there is one. */
  readonly promptId?: string;
  /** The call that failed, as `METHOD /path`, without query. */
  readonly endpoint?: string;
  /** The HTTP status, where the service answered. */
  readonly status?: number;
  /** The service's id of the request, to be quoted to its support, where the answer named one. */
  readonly requestId?: string;
  /** The service's own word for the failure (`error.type`, `error.code` or `code`). */
  readonly errorType?: string;
  /** How long the service asked to wait, in milliseconds. */
  readonly retryAfterMs?: number;
  /** At most 500 characters of the answer's body, without secrets. */
  readonly sample?: string;
}

/** The members that only one tag has. */
export interface ServiceErrorDetails {
  /** The service refused the request itself (400, 422): a workflow that does not validate, a file over a limit. */
  BadRequest: {
    /** What validation found, by node; empty if it was something else. */
    readonly nodeErrors: NodeErrors;
  };
  /** The key is missing, unknown or revoked (401). */
  Unauthorized: object;
  /** The account has no credits left (402). */
  InsufficientCredits: object;
  /** The account has no active plan for this (429 in the interface document, 402 on newer deployments). */
  SubscriptionInactive: object;
  /** The key is good but may not do this (403). */
  Forbidden: object;
  /** The service has no such job, file or node (404). */
  NotFound: object;
  /** The body is larger than the service accepts (413). */
  TooLarge: object;
  /** The bytes that arrived are not those that the client hashed, and the service stored none (409 `hash_mismatch`). */
  HashMismatch: object;
  /** The account's queue is full until a job ends (429 `QUEUE_LIMIT`). */
  QueueFull: object;
  /** The service asks for fewer requests (429 of back-pressure). */
  RateLimited: object;
  /** The service failed (5xx). */
  ServerError: object;
  /** The service answered with a status that the interface does not define here. */
  UnexpectedStatus: object;
  /** A route of the interface is gone or answers in another shape. */
  ProtocolChanged: object;
  /** The service of this dialect has no such route. */
  NotSupported: object;
  /** The network failed; `sent` is false only where the request provably did not leave whole, so that it had no effect. */
  Network: {
    /** The system's error code, e.g. `ECONNRESET`. */
    readonly code: string;
    /** False only where the request provably did not leave whole. */
    readonly sent: boolean;
  };
  /** Nothing moved for `timeoutMs`; `sent` as for `Network`. */
  Timeout: {
    /** For how long the call made no progress, in milliseconds. */
    readonly timeoutMs: number;
    /** False only where the request provably did not leave whole. */
    readonly sent: boolean;
  };
  /** The caller's `AbortSignal` aborted the operation. */
  Aborted: {
    /** Whether something may have been sent by then. */
    readonly sent: boolean;
  };
  /** The client was closed. */
  Closed: object;
  /** The client is draining and accepts no more submissions. */
  Draining: object;
  /** The answer does not have the shape that the interface defines. */
  Decode: {
    /** What is wrong with the answer, in a few words. */
    readonly reason: string;
    /** The option of the bound that the answer exceeds, such as `maxAnswerBytes`; absent for any other reason. */
    readonly option?: string | undefined;
  };
  /** The submission may or may not have been accepted; `candidates` are unknown prompt ids that appeared meanwhile. */
  OutcomeUnknown: {
    /** Ids of jobs that appeared meanwhile and that this client does not follow; may be empty. */
    readonly candidates: readonly string[];
    /** When the submission was sent, in milliseconds since 1970. */
    readonly startedAt: number;
    /** Present where the service says that it has used the submission's key: a request with it arrived, accepted or not. */
    readonly keyUsed?: true;
  };
  /** The cancellation was requested and the job goes on. */
  CancelNotApplied: {
    /** Where the job stands. */
    readonly phase: string;
  };
  /** The job is over, but one of its files could not be downloaded completely. */
  DownloadFailed: {
    /** The name of the file on the service. */
    readonly filename: string;
    /** What went wrong with it, in a few words. */
    readonly reason: string;
  };
  /** The service redirected the download to an address that the client does not follow. */
  UnsafeRedirect: {
    /** The host that the redirect names. */
    readonly host: string;
    /** Why the client does not go there, in a few words. */
    readonly reason: string;
  };
  /** A local file could not be read or written (`ENOSPC`, `EACCES`, …). */
  FileSystem: {
    /** The system's error code, e.g. `ENOSPC`. */
    readonly code: string;
    /** The file or folder. */
    readonly path: string;
  };
  /**
   * The value is not a workflow in API format, and `format` says what it looks like; or it is one (`api`), and the check before the
   * submission found errors, which are among `problems`.
   */
  InvalidWorkflow: {
    /** What the value looks like. */
    readonly format: 'ui' | 'wrapper' | 'empty' | 'unknown' | 'api';
    /** What the check found; only with `api`. */
    readonly problems?: readonly Problem[];
  };
  /** The workflow has no such node. */
  UnknownNode: {
    /** The id, title, class or name that was asked for. */
    readonly nodeId: string;
    /** The ids that the workflow has. */
    readonly knownNodes: readonly string[];
    /** Names of the workflow's nodes that are like it, the nearest first. */
    readonly nearest?: readonly string[];
  };
  /** Several nodes of the workflow have this title or class. */
  AmbiguousNode: {
    /** The title, class or name that was asked for. */
    readonly name: string;
    /** The ids of these nodes. */
    readonly nodeIds: readonly string[];
  };
  /** The class of the node declares no such input. */
  UnknownInput: {
    /** The id of the node. */
    readonly nodeId: string;
    /** The input that was asked for. */
    readonly input: string;
    /** The inputs that the class declares. */
    readonly knownInputs: readonly string[];
    /** Those of them that are like it, the nearest first. */
    readonly nearest: readonly string[];
  };
  /** The inputs of a template are not those that it takes. */
  InvalidInputs: {
    /** All that is wrong with them. */
    readonly problems: readonly InputProblem[];
  };
  /** The text is no recording of frames, or is cut. */
  InvalidRecording: {
    /** The first line that can't be read, counted from 1. */
    readonly line: number;
    /** What is wrong with it, in a few words. */
    readonly reason: string;
  };
  /** An option of `createClient` or of a call is invalid. */
  InvalidConfig: {
    /** The name of the option. */
    readonly option: string;
  };
  /** A consumer with the overflow policy `error` fell behind by more than `capacity` values. */
  Overflow: {
    /** How many values could wait. */
    readonly capacity: number;
  };
  /** A function of the program's own, such as the projection of an operator, threw; `cause` is what it threw. */
  Defect: object;
  /** The stream completed without the value that was asked of it. */
  Empty: object;
  /** The job failed, and the caller chose failure as an error. */
  JobFailed: {
    /** Why the job failed, as in its last state. */
    readonly failure: JobFailure;
  };
  /** The job was cancelled or interrupted, and the caller chose failure as an error. */
  JobCancelled: object;
  /** The job completed, but its record stayed incomplete; `outputs` are those reported so far, and files may be missing. */
  OutputsIncomplete: {
    /** The outputs that are known; there may be more. */
    readonly outputs: Outputs;
  };
}

/** The tags of {@link ServiceError}. */
export type ServiceErrorTag = keyof ServiceErrorDetails;

/**
 * Everything that can go wrong, as one closed union.
 *
 * Each member is an `Error` with a `_tag`, a message that says what happened, a `hint` that says what to do, and a `retry`
 * class. None ever contains the API key.
 *
 * @example
 * ```ts
 * import type { ServiceError } from 'promptwire';
 *
 * const advice = (error: ServiceError): string =>
 *   error._tag === 'RateLimited' ? `wait ${error.retryAfterMs ?? 1000} ms` : error.hint;
 * ```
 */
export type ServiceError = {
  [Tag in ServiceErrorTag]: Error & ServiceErrorFields & ServiceErrorDetails[Tag] & { readonly _tag: Tag };
}[ServiceErrorTag];

/** One member of {@link ServiceError} by its tag. */
export type ServiceErrorOf<Tag extends ServiceErrorTag> = Extract<ServiceError, { readonly _tag: Tag }>;
