import type { LabelledSubmitOptions } from '../jobs/run.js';
import type { SubmissionIds } from '../../core/lost/submission-ids.js';
import type { UploadedFile } from '../../core/protocol/file-ref.js';

/** Options of the submissions of a pool. */
export interface PoolTags {
  /** Only a server that has all of these tags gets the job. */
  readonly tags?: readonly string[] | undefined;
}

/** A file that a workflow names, and where it is. */
export interface PoolFile {
  /** What the service calls it: the answer of an upload, or an output of a job as an input takes it. */
  readonly file: UploadedFile;
  /** The server that has it; default those that `upload` sent it to, or any that has a file of this name. */
  readonly server?: string | undefined;
}

/** Where a submission of a job goes, as a program keeps it before the submission leaves. */
export interface PoolPlace {
  /** The server. */
  readonly server: string;
  /** Which submission of the job it is, from 1. */
  readonly attempt: number;
  /** The server's id of the job, once it has accepted it. */
  readonly promptId?: string;
  /** What the server makes of the id of a submission, as far as it has shown it. */
  readonly submissionIds: SubmissionIds;
}

/** Options of `start`. */
export interface PoolStartOptions extends LabelledSubmitOptions, PoolTags {
  /** Files that the workflow names: each is copied to the server that gets the job, once, where that has not got it. */
  readonly files?: readonly PoolFile[] | undefined;
  /** Called with each place before the submission leaves, which waits for it, and again with the server's id of the job. */
  readonly intend?: ((place: PoolPlace) => Promise<void>) | undefined;
  /**
   * Goes on with the submission of an earlier process, whose `submissionId` is given as well: what the server still has is followed, what it
   * never got or has lost runs again by the rules of the pool.
   */
  readonly resume?: PoolPlace | undefined;
}
