import type { AddResult, JobIndex, JobRecord, JobRecordChange, RecordPage } from '../../joblog/job-index.js';
import { addJob } from './add-job.js';
import type { JobIndexLimits } from './make-room.js';
import { below, type KeyRange, keyOf, partsOf } from './keys.js';
import type { Change } from './change.js';
import { dropOldKeys, forgetJob, removeJob } from './forget-job.js';
import { jobImagesIn } from './image-values.js';
import { indexKeys, jobKey, jobsAt, type JobTotals, noJobs, type StoredJob, totalKey } from './job-values.js';
import type { Store } from './store.js';
import { get, type View } from './view.js';

/** Keeps jobs and their keys in a store (docs/stores.md). */
export const jobIndexIn = (store: Store, limits: JobIndexLimits = {}): JobIndex => ({
  add: (record, _lease, share) =>
    store.change((change): Promise<AddResult> => addJob(change, record, limits, share)),
  update: (id, what) => store.change((change) => updateJob(change, id, what)),
  get: (id) => store.read(async (view) => (await jobsAt(view, [id]))[0]?.whole),
  list: (owner, page) => store.read((view) => listJobs(view, owner, page)),
  remove: (id) => store.change((change) => removeJob(change, id)),
  expire: (now) => expireAll(store, now, limits),
  images: jobImagesIn(store, limits),
  probe: () =>
    store.change(async (change) => change.put(totalKey, (await get<JobTotals>(change, totalKey)) ?? noJobs)),
});

const updateJob = async (change: Change, id: string, what: JobRecordChange): Promise<void> => {
  const job = await get<StoredJob>(change, jobKey(id));
  if (job === undefined) return;
  const next: StoredJob = { ...job, record: { ...job.record, ...what } };
  for (const key of indexKeys(job)) change.remove(key);
  for (const key of indexKeys(next)) change.put(key, null);
  change.put(jobKey(id), next);
};

/** How many jobs are read at once. */
const pageSize = 500;

const listJobs = async (
  view: View,
  owner: string | undefined,
  { after, limit }: RecordPage,
): Promise<readonly JobRecord[]> => {
  const all = owner === undefined ? below('job-order') : below('job-of', owner);
  let range: KeyRange | undefined = all;
  if (after !== undefined) {
    const last = await get<StoredJob>(view, jobKey(after));
    if (last === undefined || (owner ?? last.record.owner) !== last.record.owner) return [];
    range = {
      ...all,
      lt: owner === undefined ? keyOf('job-order', last.place) : keyOf('job-of', owner, last.place),
    };
  }
  const records: JobRecord[] = [];
  while (records.length < limit) {
    const page = await view.page({
      ...range,
      reverse: true,
      limit: Math.min(limit - records.length, pageSize),
    });
    const ids = page.map(([key]) => partsOf(key)?.at(-1) ?? '');
    records.push(...(await jobsAt(view, ids)).map(({ whole }) => whole));
    const oldest = page.at(-1)?.[0];
    if (oldest === undefined) break;
    range = { ...all, lt: oldest };
  }
  return records;
};

/** How many jobs one change forgets: what a change has done is looked through for each page that it reads. */
const mostForgotten = 100;

/** Forgets what ended and is past its time, and the keys that are older than a day, in as many changes as it takes. */
const expireAll = async (
  store: Store,
  now: number,
  limits: JobIndexLimits,
): Promise<readonly JobRecord[]> => {
  const records: JobRecord[] = [];
  for (;;) {
    const { expired, isAll } = await store.change((change) => expireJobs(change, now, limits));
    records.push(...expired);
    if (isAll) return records;
  }
};

const expireJobs = async (
  change: Change,
  now: number,
  limits: JobIndexLimits,
): Promise<{ readonly expired: readonly JobRecord[]; readonly isAll: boolean }> => {
  const { gte = '' } = below('job-expiry');
  const page = await change.page({ gte, lt: keyOf('job-expiry', now + 1), limit: mostForgotten });
  for (const [key] of page) change.remove(key);
  const ids = page.map(([key]) => partsOf(key)?.at(-1) ?? '');
  const jobs = (await jobsAt(change, ids)).toSorted((one, other) => one.place - other.place);
  for (const job of jobs) await forgetJob(change, job, limits);
  const isAll = page.length < mostForgotten;
  if (isAll) await dropOldKeys(change, now);
  return { expired: jobs.map(({ whole }) => whole), isAll };
};
