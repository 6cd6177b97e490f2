import type { AddResult, JobRecord } from '../../joblog/job-index.js';
import type { Change } from './change.js';
import { below, partsOf } from './keys.js';
import { count } from './count.js';
import { forgetJob } from './forget-job.js';
import {
  indexKeys,
  jobKey,
  jobsAt,
  type JobTotals,
  type KeyUse,
  noJobs,
  type StoredJob,
  totalKey,
  useKey,
  workflowKey,
} from './job-values.js';
import { get, has } from './view.js';
import { writeExactJson } from '../../../core/protocol/json/exact-json.js';

/** How much an index keeps. */
export interface JobIndexLimits {
  /** Jobs; default 10 000. */
  readonly maxJobs?: number | undefined;
  /** Characters of all records as JSON, which are mostly workflows; default 128 Mi. */
  readonly maxSize?: number | undefined;
  /** Used keys whose job is forgotten; default 100 000, and the oldest make room. */
  readonly maxKeys?: number | undefined;
}

/** Adds a job, unless its key is used or there is no room for it. */
export const addJob = async (
  change: Change,
  record: JobRecord,
  limits: JobIndexLimits,
): Promise<AddResult> => {
  const { id, owner, key, createdAt } = record;
  if (key !== undefined && (await has(change, useKey(owner, key)))) {
    const use = await get<KeyUse>(change, useKey(owner, key));
    const [existing] = use === undefined ? [] : await jobsAt(change, [use.jobId]);
    return { _tag: 'keyUsed', ...(existing !== undefined && { existing: existing.whole }) };
  }
  const size = writeExactJson(record).length;
  const evicted = await makeRoom(change, size, limits);
  if (evicted === undefined) return { _tag: 'full' };
  const place = ((await get<JobTotals>(change, totalKey)) ?? noJobs).place + 1;
  const { workflow, ...rest } = record;
  const job: StoredJob = { record: rest, place, size };
  change.put(jobKey(id), job);
  change.put(workflowKey(id), workflow);
  for (const indexKey of indexKeys(job)) change.put(indexKey, null);
  if (key !== undefined) change.put(useKey(owner, key), { jobId: id, createdAt, place } satisfies KeyUse);
  await count(change, { jobs: 1, size, place });
  return { _tag: 'added', evicted };
};

/** Forgets the oldest jobs that have ended until there is room for one more; undefined, and nothing is forgotten, where that is not enough. */
const makeRoom = async (
  change: Change,
  size: number,
  { maxJobs = 10_000, maxSize = 128 * 1024 * 1024, maxKeys }: JobIndexLimits,
): Promise<readonly JobRecord[] | undefined> => {
  const totals = (await get<JobTotals>(change, totalKey)) ?? noJobs;
  let jobs = totals.jobs + 1;
  let total = totals.size + size;
  const evicted: (StoredJob & { readonly whole: JobRecord })[] = [];
  let range = below('job-ended');
  while (jobs > maxJobs || total > maxSize) {
    const [next] = await change.page({ ...range, limit: 1 });
    if (next === undefined) return undefined;
    range = { gt: next[0], lt: range.lt ?? '' };
    const [job] = await jobsAt(change, [partsOf(next[0])?.at(-1) ?? '']);
    if (job === undefined) continue;
    evicted.push(job);
    jobs -= 1;
    total -= job.size;
  }
  for (const job of evicted) await forgetJob(change, job, { maxKeys });
  return evicted.map(({ whole }) => whole);
};
