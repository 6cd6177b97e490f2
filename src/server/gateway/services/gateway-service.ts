import type { Client } from '../../../client/client-types.js';
import type { FileContent, ViewOptions } from '../../../core/http/rest-options.js';
import type { FileRef, UploadedFile } from '../../../core/protocol/file-ref.js';
import type { JobRecord } from '../../joblog/job-index.js';
import type { JobState } from '../../../core/state/job-state.js';
import type { ObjectInfo } from '../../../core/endpoints/object-info.js';
import type { ServiceError } from '../../../core/errors/errors.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';

/** Bytes that are sent to a service. */
export interface SentFile {
  readonly content: Blob;
  readonly filename: string;
}

/** A job whose files are read, and the server that has them, where more than one may. */
export interface FiledJob {
  readonly record: JobRecord;
  readonly state: Pick<JobState, 'promptId'>;
  /** By another source than the record. */
  readonly server?: string | undefined;
}

/** What a gateway asks of what runs its jobs, beside the jobs: files, node classes, and whether it is there. */
export interface GatewayService {
  /** Stores a file where jobs can read it. */
  readonly upload: (source: SentFile) => TaskEither<ServiceError, UploadedFile>;
  /** Makes a picture of one that the service has, with a mask; `server` has the original, where only one has. */
  readonly uploadMask: (
    mask: SentFile,
    original: FileRef,
    server?: string,
  ) => TaskEither<ServiceError, UploadedFile>;
  /** Reads an uploaded file again. */
  readonly viewUpload: (file: FileRef, options?: ViewOptions) => TaskEither<ServiceError, FileContent>;
  /** Reads a file that a job made. */
  readonly viewOutput: (
    file: FileRef,
    options: ViewOptions | undefined,
    job: FiledJob,
  ) => TaskEither<ServiceError, FileContent>;
  /** Keeps the output of a job where jobs on any server find it; absent or undefined if they do so anyway. */
  readonly bring?: (file: FileRef, job: FiledJob) => TaskEither<ServiceError, UploadedFile | undefined>;
  /** All node classes, with the choices that workflows may take. */
  readonly objectInfo: () => TaskEither<ServiceError, ObjectInfo>;
  readonly preflight: Client['preflight'];
  /** Whether it answers, and takes the gateway's key, within so many milliseconds. */
  readonly isReachable: (withinMs: number) => Promise<boolean>;
}
