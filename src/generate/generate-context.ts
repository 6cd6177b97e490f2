import type { DownloadOptions, DownloadState } from '../core/files/download-state.js';
import type { Files } from '../core/platform/platform.js';
import type { GenerateInputs, GenerateSource, GeneratedState } from './generate-types.js';
import type { JobState } from '../core/state/job-state.js';
import type { NodeDefinitions } from '../workflow/definitions.js';
import type { Observable } from 'rxjs';
import type { OutputFile } from '../core/state/output-files.js';
import type { UploadedFile } from '../core/protocol/file-ref.js';
import type { Workflow } from '../core/protocol/workflow.js';

/** A file of a job, and how it is read. */
export interface OpenableFile extends OutputFile {
  readonly url?: string | undefined;
  /** Reads it; rejects with a `ServiceError`. */
  readonly open: () => Promise<FileReader>;
}

/** A file that is read once, by either. */
export interface FileReader {
  readonly bytes: () => Promise<Uint8Array>;
  readonly blob: () => Promise<Blob>;
}

/** The calls of a client, a remote or a queue that `generate` makes; they reject with a `ServiceError`. */
export interface GenerateContext<Options> {
  /** Opens a path, where there is a disk. */
  readonly files: Pick<Files, 'open'> | undefined;
  /** These node classes of the service, one that it lacks left out; all of them where none is named. */
  readonly definitions: (classes?: readonly string[]) => Promise<NodeDefinitions>;
  readonly upload: (content: Blob, filename: string) => Promise<UploadedFile>;
  /**
   * Rejects where a submission of the workflow would be refused before it is sent: called before files are uploaded for it, with a text in place
   * of their names. Absent if only the submission shows it.
   */
  readonly refuse?: ((workflow: Workflow, options: RunOptionsOf<Options>) => Promise<void>) | undefined;
  readonly run: (workflow: Workflow, options: RunOptionsOf<Options>) => Observable<JobState>;
  /** The files of a job that has ended, in the order of its outputs. */
  readonly filesOf: (state: JobState) => Promise<readonly OpenableFile[]>;
  /** Saves files into a folder; absent if nothing can be saved. */
  readonly save?:
    | ((
        state: JobState,
        dir: string,
        options: Pick<DownloadOptions<JobState>, 'include' | 'name'>,
      ) => Observable<DownloadState>)
    | undefined;
}

/** The options of a run, as the generator passes them on. */
export type RunOptionsOf<Options> = Omit<Options, keyof GenerateInputs> &
  Required<Pick<GenerateInputs, 'onUnsubscribe'>>;

/** Gives the states of a job, whose last one has its files. Cold: each subscription is one submission. */
export type Generate<Options> = (
  source: GenerateSource,
  options?: Options & GenerateInputs,
) => Observable<GeneratedState>;
