import type { OutputFile } from '../protocol/outputs/output-files.js';

/** A file that was saved whole; `mediaType` is what its first bytes say, where they say something. */
export interface SavedFile extends OutputFile {
  /** Full path of the file on disk. */
  readonly path: string;
  readonly bytes: number;
  /** False where the storage told no length, so that a cut could not be seen. */
  readonly verified: boolean;
}

/** How far a download is: an immutable snapshot; the last one has `done: true` and every file. */
export interface DownloadState {
  readonly done: boolean;
  /** In the order in which they became whole, so that later snapshots only append. */
  readonly files: readonly SavedFile[];
  /** Files to come in all. */
  readonly total: number;
  readonly receivedBytes: number;
  /** Sum of the lengths told so far. */
  readonly expectedBytes: number;
}

/** Options of `client.download`. */
export interface DownloadOptions {
  /** Files at once, counted over all downloads of the client; default 4. */
  readonly concurrency?: number | undefined;
  /** Refuses larger files; default no limit. */
  readonly maxBytes?: number | undefined;
  /** Replaces existing files instead of choosing `name~2`; default false. */
  readonly overwrite?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}
