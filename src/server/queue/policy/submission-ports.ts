import type { Intent, SubmissionRecord } from './intent.js';
import type { Observation } from '../../../core/lost/decide-match.js';
import type { ServiceError } from '../../../core/errors/errors.js';
import type { SubmissionIds } from '../../../core/lost/submission-ids.js';

/** A job that a worker holds. */
export interface HeldJob {
  readonly id: string;
  /** Grows with each worker that takes the job: the store refuses an intent of an earlier holder. */
  readonly fence: number;
  readonly record: SubmissionRecord;
}

/** The intent and the answer of a submission in the job's record. Each call is one atomic step of the store, and durable once it resolves. */
export interface SubmissionStore {
  /** The store's clock, in milliseconds since 1970. */
  readonly now: () => number;
  /** Stores the intent; undefined, and nothing is stored, where another worker has taken the job since or it has ended. */
  readonly intend: (
    job: Pick<HeldJob, 'id' | 'fence'>,
    intent: Omit<Intent, 'at' | 'since'>,
  ) => Promise<Intent | undefined>;
  /**
   * Stores the service's id of the job of a submission, and gives the id that the record has then. An answer is true, however late it
   * comes, so this asks for no fence. Undefined, and nothing is stored, where the record has another submission or the id belongs to
   * another job of the queue. Waits while the store is unreachable.
   */
  readonly answered: (id: string, submissionId: string, promptId: string) => Promise<string | undefined>;
  /**
   * Removes the intent of an attempt that the service refused; does nothing where the record has another attempt by now, also one
   * that repeats the same submission.
   */
  readonly refused: (id: string, intent: Pick<Intent, 'submissionId' | 'attempt'>) => Promise<void>;
}

/** What the service answers to a submission. */
export type SubmissionAnswer =
  | { readonly _tag: 'accepted'; readonly promptId: string }
  | { readonly _tag: 'error'; readonly error: ServiceError };

/** The calls of a service that submit one job, and find it. */
export interface SubmissionService {
  readonly submissionIds: SubmissionIds;
  /** Sends the submission once; the error is `OutcomeUnknown` where no answer came within that time. */
  readonly submit: (submissionId: string, withinMs: number) => Promise<SubmissionAnswer>;
  /** Asks the service for the job of a submission; undefined if the service did not answer. */
  readonly observe: (intent: Intent) => Promise<Omit<Observation, 'at'> | undefined>;
}
