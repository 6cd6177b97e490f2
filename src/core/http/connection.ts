import type { CircuitBreaker } from './circuit-breaker.js';
import type { Endpoint } from '../endpoints/endpoint.js';
import type { ErrorFromResponseOptions } from '../errors/from-response.js';
import type { HeadersResult } from './own-headers.js';
import type { HistoryRecord } from '../endpoints/history.js';
import type { JobStatus } from '../endpoints/job-status.js';
import type { Logger } from '../log/logger.js';
import type { RedactValue } from '../redaction/redact-value.js';
import type { Files, Platform } from '../platform/platform.js';
import type { Either } from '../protocol/either.js';
import type { signedFile } from './signed-file.js';
import type { CallOptions, Pace, RecordOptions } from './rest-options.js';
import type { HistoryRoute } from '../endpoints/recent-jobs.js';
import type { Submission, SubmitFields } from '../endpoints/submit.js';
import type { ServiceError } from '../errors/errors.js';
import type { ServiceUrls } from './service-urls.js';
import type { SubmitRequest, SubmitRequests } from '../endpoints/submit-requests.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type { Workflow } from '../protocol/workflow.js';

/** The connection to one service, which every call goes over. */
export interface HttpConnection {
  readonly platform: Platform;
  readonly urls: ServiceUrls;
  readonly dialect: HttpDialect;
  /** The key of the moment, asked for at each attempt; `dialect` says whether and how calls carry it. */
  readonly key: () => string | undefined;
  /** The client's own headers, asked for at each attempt. Left is `InvalidConfig`; nothing is sent then. */
  readonly headers?: () => HeadersResult;
  /** Takes every secret out of text that goes into an error. */
  readonly redact: (text: string) => string;
  /** Takes every secret out of an answer. */
  readonly redactValue: RedactValue;
  /** Adds a partner key to the redacted ones before it is sent, as the service may quote it in later answers. */
  readonly redactPartnerKey?: (key: string) => void;
  /** The member of `extra_data` that takes the partner key; default: the dialect's. */
  readonly partnerKeyField?: string;
  /** The id of the socket that is open or that comes next, for a dialect whose submissions name it. */
  readonly clientId?: () => string;
  /** Keeps calls from being sent into a refusal that is known already. */
  readonly breaker?: CircuitBreaker;
  /** Fetches what a view redirects to; absent on a platform that hides where redirects lead. */
  readonly signedFile?: typeof signedFile;
  /** Opens a path for an upload; absent on a platform without a disk. */
  readonly openFile?: OpenFile;
  /** Largest answer in bytes; default that of each endpoint. */
  readonly maxAnswerBytes?: number | undefined;
  /** Gets an entry for each request. */
  readonly logger?: Logger | undefined;
  /** Ends every call with `Closed`. */
  readonly closed?: AbortSignal;
}

/** A file to upload: its bytes, and its name without folders. */
export interface UploadFile {
  readonly content: Blob;
  readonly filename: string;
}

/** Opens a path on the platform's disk. Left is `FileSystem` for a path that can't be read. */
export type OpenFile = (files: Files, path: string) => Promise<Either<ServiceError, UploadFile>>;

/** Where the HTTP interfaces of the dialects differ; each dialect implements it. */
export interface HttpDialect {
  /** The names of all headers that may carry the key, in lower case. */
  readonly keyHeaders: readonly string[];
  /** The headers by which a call of this path carries the key. */
  readonly authHeaders: (key: string, path: string) => Readonly<Record<string, string>>;
  /** The request of a submission, its body made at once; throws what `JSON.stringify` throws for a value that is no JSON. */
  readonly submission: (
    connection: HttpConnection,
    workflow: Workflow,
    fields: Pick<SubmitFields, 'extraData' | 'partnerKey'> &
      SubmitRequests & {
        /** Identifies the submission, where the caller has an id for it. */
        readonly submissionId?: string | undefined;
      },
  ) => Endpoint<Submission>;
  /** What a submission of this dialect may ask for; `submission` gets nothing else of it. */
  readonly takes: readonly SubmitRequest[];
  /**
   * Whether the jobs API is asked how a job stands: `probed`, the first status finds out whether the server has it; `met`, once it has
   * answered for a job; `none`, never.
   */
  readonly jobsApi: 'probed' | 'met' | 'none';
  /** The member of `extra_data` that takes the partner key, unless the client's options name another. */
  readonly partnerKeyField: string;
  readonly jobStatus: (
    connection: HttpConnection,
  ) => (promptId: string, options?: CallOptions & Pace) => TaskEither<ServiceError, JobStatus>;
  readonly history: (
    connection: HttpConnection,
  ) => (promptId: string, options?: RecordOptions) => TaskEither<ServiceError, HistoryRecord>;
  /** Where the history is listed: the first route that the server has counts. */
  readonly historyRoutes: readonly HistoryRoute[];
  /** Whether a view answers with the file itself; else it redirects to where the file is. */
  readonly servesFiles: boolean;
  /** The message and hint of a refusal that means something else here than its status says. */
  readonly explainRefusal: (
    call: Pick<Endpoint<unknown>, 'method' | 'path' | 'idempotency'>,
    status: number,
    errorType?: string,
    /** Whether the request may have had an `Origin`: a page sends one, and own headers may. */
    sendsOrigin?: boolean,
  ) => ReturnType<NonNullable<ErrorFromResponseOptions['words']>>;
  /** What a 429 means that has neither an error type nor a `Retry-After`. */
  readonly untyped429: NonNullable<ErrorFromResponseOptions['untyped429']>;
  /** What a 402 means without an error type; default that the account has no credits. */
  readonly untyped402?: ErrorFromResponseOptions['untyped402'];
  /** Whether a 503 with a word and a `Retry-After` says that a submission had no effect; else it may have had one. */
  readonly refusesBy503: boolean;
}
