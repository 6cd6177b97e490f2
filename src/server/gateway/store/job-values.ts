import type { JobRecord, KeptSubmission } from '../../joblog/job-index.js';
import { keyOf } from './keys.js';
import { getMany, type View } from './view.js';
import type { Workflow } from '../../../core/protocol/workflow.js';

/**
 * Below `job!ID`: a job without its workflow, which stands below `workflow!ID`, and without what else it was submitted with, which stands below
 * `submission!ID`. So a change of the job neither reads nor writes these.
 */
export interface StoredJob {
  readonly record: Omit<JobRecord, 'workflow'>;
  /** Whether the `kept` of its record stands below `submission!ID`. */
  readonly hasSubmission?: true;
  /** Its place among all jobs, in the order in which they were added. */
  readonly place: number;
  /** The characters of the record with its workflow, as it was added, and of its pictures. */
  readonly size: number;
  /** The most characters of all that is kept of its owner's jobs; absent if there is no bound. */
  readonly maxOwnSize?: number;
}

/** Below `key!OWNER!KEY`: the use of an idempotency key. */
export interface KeyUse {
  readonly jobId: string;
  readonly createdAt: number;
  /** The place of its job. */
  readonly place: number;
  /** Whether the job is forgotten. */
  readonly forgotten?: true;
}

/** Below `total!jobs`: what the index holds. */
export interface JobTotals {
  readonly jobs: number;
  readonly size: number;
  /** How many keys of forgotten jobs there are. */
  readonly forgottenKeys: number;
  /** The place of the newest job. */
  readonly place: number;
}

/** The characters of all records where no limit is set. */
export const defaultSize = 128 * 1024 * 1024;

export const noJobs: JobTotals = { jobs: 0, size: 0, forgottenKeys: 0, place: 0 };

export const totalKey = keyOf('total', 'jobs');
export const jobKey = (id: string): string => keyOf('job', id);
export const workflowKey = (id: string): string => keyOf('workflow', id);
export const submissionKey = (id: string): string => keyOf('submission', id);
export const useKey = (owner: string, key: string): string => keyOf('key', owner, key);
/** The keys of forgotten jobs, the oldest first. */
export const forgottenKey = (owner: string, key: string, { createdAt, place }: KeyUse): string =>
  keyOf('key-forgotten', createdAt, place, owner, key);

/** The keys that lead to a job: by its place, by its owner, and by its end; their values say nothing. */
export const indexKeys = ({
  record: { id, owner, ended, expiresAt },
  place,
}: StoredJob): readonly string[] => [
  keyOf('job-order', place, id),
  keyOf('job-of', owner, place, id),
  ...(ended === undefined ? [] : [keyOf('job-expiry', expiresAt, place, id)]),
];

/** Reads jobs, without those that are not there or can't be read. One of which another part can't be read is `unreadable`. */
export const jobsAt = async (
  view: View,
  ids: readonly string[],
): Promise<readonly (StoredJob & { readonly whole: JobRecord })[]> => {
  const jobs = await getMany<StoredJob>(view, ids.map(jobKey));
  const workflows = await getMany<Workflow>(view, ids.map(workflowKey));
  const submissions = jobs.some((job) => job?.hasSubmission === true)
    ? await getMany<KeptSubmission>(view, ids.map(submissionKey))
    : [];
  return jobs.flatMap((job, at) => {
    if (job === undefined) return [];
    const [workflow, kept] = [workflows[at], submissions[at]];
    const isWhole = workflow !== undefined && (job.hasSubmission !== true || kept !== undefined);
    const whole: JobRecord = {
      ...job.record,
      workflow: workflow ?? {},
      ...(kept !== undefined && { kept }),
      ...(!isWhole && { unreadable: true }),
    };
    return [{ ...job, whole }];
  });
};
