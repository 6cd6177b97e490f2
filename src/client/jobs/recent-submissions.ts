import type { Clock } from '../../core/platform/platform.js';
import type { ServiceErrorOf } from '../../core/errors/errors.js';
import type { Submission } from '../../core/endpoints/submit.js';

const maxRecent = 100;

/** Which call a submission was made by. */
export interface CallMark {
  /** Position of its workflow in `runAll`, from 0. */
  readonly index?: number | undefined;
  /** The `label` that it was given. */
  readonly label?: string | undefined;
}

/** A submission whose job may run without a subscriber here. */
export type RecentSubmission = CallMark & {
  /** When this was learnt, in milliseconds since 1970. */
  readonly submittedAt: number;
} & (
    | {
        /** The answer came after its subscriber had left; the job runs. */
        readonly promptId: string;
        /** Absent: the outcome is known. */
        readonly error?: undefined;
      }
    | {
        /** Absent: there may be no job. */
        readonly promptId?: undefined;
        /** Whether there is a job is unknown. */
        readonly error: ServiceErrorOf<'OutcomeUnknown'>;
      }
  );

/** A client's submissions that have no subscriber. */
export interface RecentSubmissions {
  /** The latest 100, the latest last. */
  readonly list: () => readonly RecentSubmission[];
  /** The hooks for the submission of one call. */
  readonly of: (call: CallMark) => SubmissionHooks;
}

/** Called with a submission that has no subscriber. */
export interface SubmissionHooks {
  /** Its answer came after its subscriber had left. */
  readonly orphaned: (submission: Submission) => void;
  /** Its outcome is unknown, with or without a subscriber. */
  readonly outcomeUnknown: (error: ServiceErrorOf<'OutcomeUnknown'>) => void;
}

/** Keeps the latest of them. */
export const recentSubmissions = (clock: Pick<Clock, 'wall'>): RecentSubmissions => {
  const recent: RecentSubmission[] = [];
  const add = (submission: RecentSubmission): void => {
    recent.push(submission);
    if (recent.length > maxRecent) recent.shift();
  };
  return {
    list: () => [...recent],
    of: (call) => ({
      orphaned: ({ promptId }) => add({ ...call, promptId, submittedAt: clock.wall() }),
      outcomeUnknown: (error) => add({ ...call, error, submittedAt: error.startedAt }),
    }),
  };
};
