import { isAlike } from './is-alike.js';
import type { Look } from './by-sight.js';
import type { RecentJob } from '../../../core/endpoints/recent-jobs.js';
import type { SubmissionIds } from '../../../client/dialects/dialect.js';

/** A submission whose answer was lost. */
export interface LostSubmission {
  readonly submissionId: string;
  /** When it may have left first, in milliseconds since 1970. */
  readonly since: number;
  /** Its workflow, as a service answers it. */
  readonly workflow: unknown;
  /** Whether it carries its id as a marker. */
  readonly isMarked: boolean;
}

/** The member of `extra_data` that names the submission, where the service has no other place for its id. */
export const markerField = 'promptwire_submission';

/** Whether submissions carry their ids as markers. */
export const carriesMarker = (submissionIds: SubmissionIds): boolean =>
  submissionIds === 'none' || submissionIds === 'unproven';

/** A clock of the service may be that much behind ours, in milliseconds. */
const clockSkewMs = 60_000;

/** What some jobs of a service show of a submission. A job with the marker of another submission is not alike. */
export const seenAmong = (
  jobs: readonly RecentJob[],
  { submissionId, since, workflow, isMarked }: LostSubmission,
): Omit<Look, 'at'> => {
  const [marked, alike]: [string[], string[]] = [[], []];
  for (const job of jobs) {
    if (!isYoung(job, since)) continue;
    const marker = isMarked ? markerOf(job) : undefined;
    // Some servers make the id of the submission that of the job.
    if (marker === submissionId || job.promptId === submissionId) marked.push(job.promptId);
    else if (marker === undefined && isAlike(workflow, job.workflow)) alike.push(job.promptId);
  }
  return { marked, alike };
};

/** Whether the job may be of a submission that left at this moment. */
export const isYoung = (
  { createdAt = Infinity }: { readonly createdAt?: number | undefined },
  since: number,
): boolean => createdAt >= since - clockSkewMs;

/** The marker of a job, where the service shows one. */
export const markerOf = ({ extraData }: RecentJob): string | undefined => {
  const marker = extraData?.[markerField];
  return typeof marker === 'string' ? marker : undefined;
};
