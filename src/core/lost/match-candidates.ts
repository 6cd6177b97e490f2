import { sameWorkflow } from './same-workflow.js';
import type { Observation } from './decide-match.js';
import type { RecentJob } from '../endpoints/recent-jobs.js';
import type { SubmissionIds } from './submission-ids.js';

/** A submission whose answer was lost. */
export interface LostSubmission {
  /** Absent if no job can show it. */
  readonly submissionId?: string;
  /** When it may have left first, in milliseconds since 1970. */
  readonly since: number;
  /** Its workflow, as a service answers it. */
  readonly workflow: unknown;
  /** Whether it carries its id as a marker. */
  readonly isMarked: boolean;
  /**
   * The client id that it named: a job of another client is not a candidate. Absent if a service shows no client ids, or several
   * programs share one.
   */
  readonly clientId?: string | undefined;
}

/** The member of `extra_data` that names the submission, where the service has no other place for its id. */
export const markerField = 'promptwire_submission';

/** Whether submissions carry their ids as markers. */
export const carriesMarker = (submissionIds: SubmissionIds): boolean =>
  submissionIds === 'none' || submissionIds === 'unproven';

/** A clock of the service may be that much behind ours, in milliseconds. */
const clockSkewMs = 60_000;

/** What some jobs of a service show of a submission. A job with the marker of another submission is not alike. */
export const matchCandidates = (
  jobs: readonly RecentJob[],
  { submissionId, since, workflow, isMarked, clientId }: LostSubmission,
): Omit<Observation, 'at'> => {
  const [marked, alike]: [string[], string[]] = [[], []];
  for (const job of jobs) {
    if (!isRecent(job, since)) continue;
    if (clientId !== undefined && job.extraData?.['client_id'] !== clientId) continue;
    const marker = isMarked ? markerOf(job) : undefined;
    // Some servers make the id of the submission that of the job.
    if (submissionId !== undefined && (marker === submissionId || job.promptId === submissionId))
      marked.push(job.promptId);
    else if (marker === undefined && sameWorkflow(workflow, job.workflow)) alike.push(job.promptId);
  }
  return { marked, alike };
};

/** Whether the job may be of a submission that left at this moment. */
export const isRecent = (
  { createdAt = Infinity }: { readonly createdAt?: number | undefined },
  since: number,
): boolean => createdAt >= since - clockSkewMs;

/** The marker of a job, where the service shows one. */
export const markerOf = ({ extraData }: RecentJob): string | undefined => {
  const marker = extraData?.[markerField];
  return typeof marker === 'string' ? marker : undefined;
};
