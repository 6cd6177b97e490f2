import { below, type KeyRange, partsOf } from './keys.js';
import { type Change, changeOf } from './change.js';
import { forgetJob } from './forget-job.js';
import {
  defaultSize,
  jobKey,
  jobsAt,
  type JobTotals,
  noJobs,
  type StoredJob,
  totalKey,
} from './job-values.js';
import type { JobRecord } from '../../joblog/job-index.js';
import { biggestHolders, jobShares, shareOf } from './shares.js';
import { get, getMany, type View } from './view.js';

/** How much an index keeps. */
export interface JobIndexLimits {
  /** Jobs; default 10 000. */
  readonly maxJobs?: number | undefined;
  /** Characters of all records as JSON, which are mostly workflows; default 128 Mi. */
  readonly maxSize?: number | undefined;
  /** Used keys whose job is forgotten; default 100 000, and the oldest make room. */
  readonly maxKeys?: number | undefined;
}

/** A record that needs room, and what all records and those of its owner may take. */
export interface NeededRoom {
  readonly owner: string;
  readonly size: number;
  readonly limits: JobIndexLimits;
  /** The most characters of the owner's records. */
  readonly maxOwnSize: number;
}

/** One of the two bounds of an index. */
type Measure = (typeof jobShares.measures)[number];

/**
 * Forgets jobs that have ended until there is room for one more, and gives them: the owner's own for what exceeds its share, then the oldest
 * of the owner that holds most. Where that is not enough it gives whose bound is in the way, and forgets nothing.
 */
export const makeRoom = async (
  change: Change,
  { owner, size, limits, maxOwnSize }: NeededRoom,
): Promise<readonly JobRecord[] | 'owner' | 'all'> => {
  const { maxJobs = 10_000, maxSize = defaultSize, maxKeys } = limits;
  const trial = changeOf(change);
  const evicted: JobRecord[] = [];
  const evict = async (id: string): Promise<void> => {
    const [job] = await jobsAt(trial, [id]);
    if (job === undefined) return;
    evicted.push(job.whole);
    await forgetJob(trial, job, { maxKeys });
  };
  while ((await shareOf(trial, jobShares, owner)).size + size > maxOwnSize) {
    const own = await oldestEnded(trial, owner);
    if (own === undefined) return 'owner';
    await evict(own);
  }
  for (;;) {
    const totals = (await get<JobTotals>(trial, totalKey)) ?? noJobs;
    const isFullOf: Measure | undefined =
      totals.jobs + 1 > maxJobs ? 'jobs' : totals.size + size > maxSize ? 'size' : undefined;
    if (isFullOf === undefined) break;
    const next = await ofBiggestHolder(trial, isFullOf);
    if (next === undefined) return 'all';
    await evict(next);
  }
  change.take(trial.changes);
  return evicted;
};

/** The oldest job that has ended, of the owner that holds most and has one. */
const ofBiggestHolder = async (view: View, measure: Measure): Promise<string | undefined> => {
  for await (const owner of biggestHolders(view, jobShares, measure)) {
    const id = await oldestEnded(view, owner);
    if (id !== undefined) return id;
  }
  return undefined;
};

const pageSize = 100;

/** The oldest job of an owner that has ended. */
const oldestEnded = async (view: View, owner: string): Promise<string | undefined> => {
  let range: KeyRange = below('job-of', owner);
  for (;;) {
    const page = await view.page({ ...range, limit: pageSize });
    const ids = page.map(([key]) => partsOf(key)?.at(-1) ?? '');
    const jobs = await getMany<StoredJob>(view, ids.map(jobKey));
    const ended = jobs.find((job) => job?.record.ended !== undefined);
    if (ended !== undefined) return ended.record.id;
    const last = page.at(-1)?.[0];
    if (last === undefined || page.length < pageSize) return undefined;
    range = { gt: last, lt: range.lt ?? '' };
  }
};
