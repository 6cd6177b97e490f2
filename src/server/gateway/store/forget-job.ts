import type { Change } from './change.js';
import { below, keyOf, partsOf } from './keys.js';
import { count } from './count.js';
import { removeImages } from './image-values.js';
import {
  forgottenKey,
  indexKeys,
  jobKey,
  type JobTotals,
  type KeyUse,
  noJobs,
  type StoredJob,
  submissionKey,
  totalKey,
  useKey,
  workflowKey,
} from './job-values.js';
import { changeShare, jobShares } from './shares.js';
import { get } from './view.js';

/** How long a key stays used after its job was added, in milliseconds. */
const keyLifeMs = 24 * 60 * 60 * 1000;

/** Forgets a job; its key stays used, and the oldest key of the forgotten jobs goes where there are too many. */
export const forgetJob = async (
  change: Change,
  job: StoredJob,
  { maxKeys = 100_000 }: { readonly maxKeys?: number | undefined },
): Promise<void> => {
  await drop(change, job);
  const { owner, key } = job.record;
  if (key === undefined) return;
  const use = await get<KeyUse>(change, useKey(owner, key));
  if (use === undefined) return;
  change.put(useKey(owner, key), { ...use, forgotten: true } satisfies KeyUse);
  change.put(forgottenKey(owner, key, use), null);
  await count(change, { forgottenKeys: 1 });
  const totals = (await get<JobTotals>(change, totalKey)) ?? noJobs;
  if (totals.forgottenKeys <= maxKeys) return;
  const [oldest] = await change.page({ ...below('key-forgotten'), limit: 1 });
  if (oldest !== undefined) await dropKey(change, oldest[0]);
};

/** Removes a job with its key, which is free again. */
export const removeJob = async (change: Change, id: string): Promise<void> => {
  const job = await get<StoredJob>(change, jobKey(id));
  if (job === undefined) return;
  await drop(change, job);
  const { owner, key } = job.record;
  if (key !== undefined) change.remove(useKey(owner, key));
};

/** Frees the keys of forgotten jobs whose time is over. */
export const dropOldKeys = async (change: Change, now: number): Promise<void> => {
  const { gte = '' } = below('key-forgotten');
  for (;;) {
    const page = await change.page({ gte, lt: keyOf('key-forgotten', now - keyLifeMs + 1), limit: 500 });
    if (page.length === 0) return;
    for (const [key] of page) await dropKey(change, key);
  }
};

const drop = async (change: Change, job: StoredJob): Promise<void> => {
  const { id, owner } = job.record;
  change.remove(jobKey(id));
  change.remove(workflowKey(id));
  change.remove(submissionKey(id));
  for (const key of indexKeys(job)) change.remove(key);
  await removeImages(change, id);
  await count(change, { jobs: -1, size: -job.size });
  await changeShare(change, jobShares, owner, { jobs: -1, size: -job.size });
};

const dropKey = async (change: Change, forgotten: string): Promise<void> => {
  const [, , owner = '', key = ''] = partsOf(forgotten) ?? [];
  change.remove(forgotten);
  change.remove(useKey(owner, key));
  await count(change, { forgottenKeys: -1 });
};
