import type { OutputFile, OutputFilesOptions } from '../state/output-files.js';
import type { Outputs } from '../state/outputs.js';

/** A file that was saved whole; `mediaType` is what its first bytes say, where they say something. */
export interface SavedFile extends OutputFile {
  /** Full path of the file on disk. */
  readonly path: string;
  /** Size of the file on disk. */
  readonly bytes: number;
  /** False if the storage announced no length, so that a cut could not be detected. */
  readonly verified: boolean;
}

/** How far a download is: an immutable snapshot; the last one has `done: true` and every file. */
export interface DownloadState {
  /** Whether every file is saved; only the last snapshot says true. */
  readonly done: boolean;
  /** In the order in which they became whole, so that later snapshots only append. */
  readonly files: readonly SavedFile[];
  /** Files to come in all. */
  readonly total: number;
  /** Bytes of all files that have arrived so far. */
  readonly receivedBytes: number;
  /** Sum of the lengths announced so far. */
  readonly expectedBytes: number;
}

/** Where a download can take its files from: a `JobState` is one, and so is a record of history with the job's id. */
export interface JobOutputs extends OutputFilesOptions {
  /** The job that made them. */
  readonly promptId: string;
  /** Its outputs, by node. */
  readonly outputs: Outputs;
}

/** Options of `client.download`; `Job` is what it was given as the job: {@link JobOfSource}. */
export interface DownloadOptions<Job = unknown> {
  /**
   * `temp` fetches all files of a job or of outputs, the temporary ones of preview nodes as well; default those of the type `output`
   * only. A list of files is fetched as it is.
   */
  readonly include?: 'temp' | undefined;
  /** Which of these files to fetch; default all. */
  readonly filter?: ((file: OutputFile, job: Job) => boolean) | undefined;
  /**
   * Names each file, extension and all; default the name that `nameOutputs` gave it, else the service's own. `index` counts the files that are fetched, from 0. The name is
   * made safe and kept apart from others like the service's own.
   */
  readonly name?: ((file: OutputFile, job: Job, index: number) => string) | undefined;
  /** Files at once, counted over all downloads of the client; default 4. */
  readonly concurrency?: number | undefined;
  /** Refuses larger files; default no limit. */
  readonly maxBytes?: number | undefined;
  /** Replaces existing files instead of choosing `name~2`; default false. */
  readonly overwrite?: boolean | undefined;
  /** Ends the stream with `Aborted` when it fires, and removes what is not whole. */
  readonly signal?: AbortSignal | undefined;
}

/** What a download can be given: a job's state or record, outputs, or a list of files. */
export type DownloadSource = JobOutputs | Outputs | readonly OutputFile[];

/** The job that a download was given, or `undefined` if it was given outputs or files. */
export type JobOfSource<Source extends DownloadSource> = Source extends JobOutputs ? Source : undefined;
