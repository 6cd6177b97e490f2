import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type { ServiceError } from '../errors/errors.js';
import type { FileRef } from '../state/outputs.js';

/** What every call takes. */
export interface CallOptions {
  /**
   * Deadline of the whole call; default 60 000, not counting waits that the service asked for, and 30 000 for an answer to
   * begin, except to an upload, and for each piece of it to follow. While the body of a file
   * comes it bounds the silence between two pieces instead; default 30 000 there.
   */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What a submission takes besides the workflow. */
export interface SubmitOptions extends CallOptions {
  /** Sent as `extra_data`; the credential fields are filled by `partnerKey` only. */
  readonly extraData?: Readonly<Record<string, unknown>> | undefined;
  /** `true` sends the API key itself to the partner nodes, a string that key; never sent unless asked. */
  readonly partnerKey?: true | string | undefined;
}

/** Lets go of a submission without losing an answer. */
export interface Withdrawal {
  /** Once it fires nothing is sent any more, also not again; an answer that is under way is still awaited. */
  readonly withdrawn?: AbortSignal;
}

/** Paces a call that may take more than one request. */
export interface Pace {
  /** Waited for before each request after the first. */
  readonly nextPermit?: () => Promise<void>;
}

/** What to upload: bytes or a blob with a name, or a path where the platform has files. */
export type UploadSource = string | { readonly content: Blob | Uint8Array; readonly filename: string };

/** Options of `uploadImage` and `uploadMask`. */
export interface UploadOptions extends CallOptions {
  /** Default `input`. */
  readonly type?: 'input' | 'temp' | 'output' | undefined;
  readonly subfolder?: string | undefined;
  /** Sent as text. */
  readonly overwrite?: boolean | undefined;
}

/** Where to go on with a file of which a part is there already. */
export interface ResumePoint {
  /** Bytes that are there. */
  readonly offset: number;
  /** The `etag` that came with them. */
  readonly etag: string;
}

/** Options of `view`. */
export interface ViewOptions extends CallOptions {
  readonly channel?: 'rgb' | 'a' | undefined;
  /** Longest edge of a reduced picture, 64 to 1024. */
  readonly res?: number | undefined;
  /** Asks the storage for the rest only; see `FileContent.offset` for whether it did. */
  readonly resume?: ResumePoint | undefined;
}

/** What is known of a file on its way, and its bytes. */
export interface FileBytes {
  readonly mediaType: string;
  /** Bytes of the whole file, where the storage told. */
  readonly size?: number;
  /** Where in the file `body` begins: absent or 0 for the whole, else the offset that was asked for by `resume`. */
  readonly offset?: number;
  /** The storage's name for exactly these bytes, to resume by; absent where it gave none that is safe to splice by. */
  readonly etag?: string;
  readonly body: AsyncIterable<Uint8Array>;
  readonly discard: () => void;
}

/** Fetches one file, as far as its bytes. */
export type ViewFile = (file: FileRef, options?: ViewOptions) => TaskEither<ServiceError, FileBytes>;

/**
 * A file on its way: read it once, in one of four ways, or call `discard`. A file that is cut rejects, or errors the stream, with
 * `DownloadFailed`.
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
  /** Reads it whole, as a `Blob` of its media type. */
  readonly blob: () => Promise<Blob>;
  /** Reads it whole. */
  readonly bytes: () => Promise<Uint8Array>;
  /** Gives it as a web stream, which reads nothing ahead; cancelling it gives the connection up. */
  readonly stream: () => ReadableStream<Uint8Array>;
}
