import type { SubmissionIds } from '../../../core/lost/submission-ids.js';

/** What is durable before a submission leaves: with it any worker can find out what became of the submission. */
export interface Intent {
  /** 1 for the first submission of the job. */
  readonly attempt: number;
  /** The worker that submits. */
  readonly worker: string;
  /** When the store took the intent, by the store's clock, in milliseconds since 1970. */
  readonly at: number;
  /** When the store first took an intent with this submission id, likewise; `at` where this is the first one. */
  readonly since: number;
  /** What the service makes of the id. */
  readonly submissionIds: SubmissionIds;
  /** The id of the submission. */
  readonly submissionId: string;
}

/** What the record of a job says about its submission. */
export interface SubmissionRecord {
  /** The last submission that may have left; absent if none has, or the service refused it. */
  readonly intent?: Intent | undefined;
  /** The service's id of the job, once it is known. */
  readonly promptId?: string | undefined;
  /** Whether the job is over. */
  readonly hasEnded?: boolean | undefined;
}
