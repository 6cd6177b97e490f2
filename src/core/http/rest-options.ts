import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type { ServiceError } from '../errors/errors.js';
import type { Subscription } from 'rxjs';
import type { FileRef } from '../protocol/file-ref.js';
import type { SubmitRequests } from '../endpoints/submit-requests.js';

/** Options of every call. */
export interface CallOptions {
  /**
   * How long the call may take without progress, in milliseconds: a transfer in either direction that moves at 1 KiB/s or more may
   * take any time, and `AbortSignal.timeout` bounds that as well. Default: 60 000, not counting waits that the service asks for,
   * and within it 30 000 for each piece to follow and, after the request has left, for an answer to begin (except to an upload); the
   * answer to a large body gets a second more for each 32 KiB that may still be on their way. For the body of a file it bounds the
   * silence between two chunks; default 30 000.
   */
  readonly timeoutMs?: number | undefined;
  /** Ends the call with `Aborted` when it fires; a submission that has left ends with `OutcomeUnknown`. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of `history`, `job` and `queue`. */
export interface RecordOptions extends CallOptions {
  /**
   * Whether the answer has the workflow; default true. `false` skips it where the answer is a large one, so that an answer may be of
   * any size as long as the rest of it is not. With it goes what a record and the jobs API hold beside the workflow, `extraData`; a job
   * of a queue keeps its `extraData` but for `extra_pnginfo`, the editor's file of the same workflow.
   */
  readonly workflow?: boolean | undefined;
}

/** Options of `job`. */
export interface JobDetailOptions extends RecordOptions {
  /**
   * Asks a cloud service for a link to each file of the outputs, as its member `short_url`, relative to the address of the service:
   * `owner` opens for the account alone, for 30 days; `public` for everyone who has it, for five minutes, so it belongs into no log.
   * Default none. Without effect on a server that has no such links.
   */
  readonly shortLinks?: 'owner' | 'public' | undefined;
}

/** Options of `objectInfo`. */
export interface ObjectInfoOptions extends CallOptions {
  /** Reads this class only; default all. */
  readonly nodeClass?: string | undefined;
  /** Whether a cloud service lists the models that the account has imported as well; default false. A local server lists all in any case. */
  readonly userModels?: boolean | undefined;
}

/** Options of `interrupt`. */
export interface InterruptOptions extends CallOptions {
  /** The job to end; without it every running job of the account ends. */
  readonly promptId?: string | undefined;
}

/** Options of a submission. */
export interface SubmitOptions extends CallOptions, SubmitRequests {
  /** Sent as `extra_data`; the credential fields are filled by `partnerKey` only. */
  readonly extraData?: Readonly<Record<string, unknown>> | undefined;
  /** Sends a key to the partner nodes: `true` the API key itself, a string that key. Default: none is sent. */
  readonly partnerKey?: true | string | undefined;
  /**
   * A UUID of your own that identifies this submission, so that a program that has stored it before can find the job again; by default
   * a random one. Never use one twice. `Client.submissionIds` says what the service makes of it.
   */
  readonly submissionId?: string | undefined;
  /**
   * Whether the call may send the submission again where the service refused it for the moment, or it never left. Default true.
   * With `false` one request leaves at most, for a program that keeps a queue of its own.
   */
  readonly retry?: boolean | undefined;
  /**
   * Whether `run` and `submit` of a client look for the job where the answer to the submission was lost, for half a minute, before they
   * give `OutcomeUnknown`: by its id, else by its workflow; in the cloud by a marker, where the service has a list of jobs. Default true;
   * without effect with `dialect: 'v2'`. Pass `false` in a program that keeps records and finds out by itself, as a gateway does; `retry: false` implies it.
   */
  readonly findLost?: boolean | undefined;
}

/** Options of `recentJobs`. */
export interface RecentJobsOptions extends CallOptions {
  /** The most jobs to list, from 1; default 32. */
  readonly limit?: number | undefined;
  /**
   * Looks these jobs up in place of the listing, one request each, and leaves out those without a record: it gives the workflows
   * that the listing of a cloud service leaves out.
   */
  readonly promptIds?: readonly string[] | undefined;
}

/** Withdraws a submission without losing an answer. */
export interface Withdrawal {
  /** Once it is unsubscribed from, no request is sent any more, no retry either; a request that has left still gets its answer. */
  readonly withdrawal?: Subscription;
}

/** Paces a call that may take more than one request. */
export interface Pace {
  /** Awaited before each request after the first. */
  readonly nextPermit?: () => Promise<void>;
  /** Whether the job waits, so that the jobs API is worth a question: of the routes of a cloud service it alone tells a place in the queue. */
  readonly seeksPlace?: boolean;
}

/** What to upload: bytes or a blob with a name, or a path where the platform has files. */
export type UploadSource =
  | string
  | {
      /** The bytes, which are copied when the call runs. */
      readonly content: Blob | Uint8Array;
      /** The name that is sent with them; the service sees the last part of a path only. */
      readonly filename: string;
    };

/** Options of `uploadImage` and `uploadMask`. */
export interface UploadOptions extends CallOptions {
  /** The folder of the service that takes the file; default `input`, where workflows read from. */
  readonly type?: 'input' | 'temp' | 'output' | undefined;
  /** A folder within it, which a local server makes; a cloud service may ignore it. Default: none. */
  readonly subfolder?: string | undefined;
  /** Whether a local server replaces a file of this name; default false, and the new file gets a number. */
  readonly overwrite?: boolean | undefined;
}

/** Where to resume a file that is there in part. */
export interface ResumePoint {
  /** Bytes that are there already. */
  readonly offset: number;
  /** The `etag` that came with them. */
  readonly etag: string;
}

/** Options of `view`. */
export interface ViewOptions extends CallOptions {
  /** Asks for the colours or the alpha channel of a picture only, as PNG; default the file as it is. */
  readonly channel?: 'rgb' | 'a' | undefined;
  /** Longest edge of a reduced picture, 64 to 1024. */
  readonly res?: number | undefined;
  /** Asks the storage for the rest only; `FileContent.offset` says whether it sent only that. */
  readonly resume?: ResumePoint | undefined;
}

/** What the headers say about a file, and its bytes. */
export interface FileBytes {
  /**
   * The media type that the file's name tells, else `application/octet-stream`; of a picture that was made of it (`channel`, `res`) that of the
   * answer. `sniffMediaType` looks at the bytes themselves.
   */
  readonly mediaType: string;
  /** Bytes of the whole file, where the storage announces them. */
  readonly size?: number;
  /** Where in the file `body` begins: absent or 0 for the whole file, else the offset of `resume`. */
  readonly offset?: number;
  /** The storage's strong ETag, to resume by; absent if it gave none. */
  readonly etag?: string;
  /** The bytes as they come; a file that is cut off throws `DownloadFailed`. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Closes the connection without reading the rest. */
  readonly discard: () => void;
}

/** Fetches one file. */
export type ViewFile = (file: FileRef, options?: ViewOptions) => TaskEither<ServiceError, FileBytes>;

/**
 * A file whose body is still to be read: read it once, in one of four ways, or call `discard`. A body that is cut rejects, or
 * errors the stream, with `DownloadFailed`.
 *
 * @example
 * ```ts
 * import { toPromise, type Client, type OutputFile } from 'promptwire';
 *
 * const pictureUrl = async (client: Client, file: OutputFile): Promise<string> =>
 *   URL.createObjectURL(await (await toPromise(client.rest.view(file))).blob());
 * ```
 */
export interface FileContent extends FileBytes {
  /** Reads the whole file as a `Blob` of its media type. */
  readonly blob: () => Promise<Blob>;
  /** Reads the whole file. */
  readonly bytes: () => Promise<Uint8Array>;
  /** The file as a web stream that reads nothing ahead; cancelling it closes the connection. */
  readonly stream: () => ReadableStream<Uint8Array>;
}
