import { below, partsOf } from '../keys.js';
import { compareKeys, compareValue, type Repairs, valuesOf } from './repairs.js';
import {
  forgottenKey,
  indexKeys,
  type JobTotals,
  type KeyUse,
  noJobs,
  type StoredJob,
  submissionKey,
  totalKey,
  useKey,
  workflowKey,
} from '../job-values.js';
import { get, pagesOf, type View } from '../view.js';
import { checkShares } from './check-shares.js';
import { jobShares } from '../shares.js';
import { readStored } from '../stored-value.js';
import { standIns } from './stand-ins.js';
import { withoutMember } from '../../../../core/state/without-member.js';

/**
 * Checks the tables of jobs, whose lists and totals follow from the jobs and the keys.
 *
 * A job that can't be read stays as one that has failed, and its key stays used. With `all` it reads the workflows as well.
 */
export const checkJobs = async (
  view: View,
  repairs: Repairs,
  now: number,
  all: boolean,
): Promise<readonly StoredJob[]> => {
  const jobs = await knownJobs(view, repairs, now, all);
  await dropImages(view, repairs, new Set(jobs.map(({ record }) => record.id)));
  const expected = new Set(jobs.flatMap(indexKeys));
  for (const table of ['job-order', 'job-of', 'job-expiry'] as const) {
    const own = [...expected].filter((key) => key.startsWith(`${table}!`));
    await compareKeys(view, repairs, table, new Set(own));
  }
  const held = jobs.map(({ record, size }) => ({ owner: record.owner, share: { jobs: 1, size } }));
  await checkShares(view, repairs, jobShares, held);
  const uses = await knownUses(view, repairs, jobs, now);
  const forgotten = uses.filter(({ use }) => use.forgotten === true);
  const forgottenKeys = forgotten.map(({ owner, key, use }) => forgottenKey(owner, key, use));
  await compareKeys(view, repairs, 'key-forgotten', new Set(forgottenKeys));
  const known = await get<JobTotals>(view, totalKey);
  const places = [...jobs, ...uses.map(({ use }) => use)].map(({ place }) => place);
  const totals: JobTotals = {
    jobs: jobs.length,
    size: jobs.reduce((sum, { size }) => sum + size, 0),
    forgottenKeys: forgotten.length,
    place: places.reduce((last, place) => Math.max(last, place), known?.place ?? 0),
  };
  await compareValue(view, repairs, totalKey, totals, noJobs);
  return jobs;
};

/** Jobs that can be read, and those that stand for others: the ones without a part of theirs, and the ones that can't be read. */
const knownJobs = async (
  view: View,
  repairs: Repairs,
  now: number,
  all: boolean,
): Promise<readonly StoredJob[]> => {
  /** The keys of parts of jobs that no job has claimed yet. */
  const parts = new Set<string>();
  for (const table of ['workflow', 'submission'] as const)
    for (const key of await keysIn(view, repairs, table, all)) parts.add(key);
  const jobs: StoredJob[] = [];
  const lost = new Set<string>();
  const isLost = (key: string): void => void lost.add(partsOf(key)?.[0] ?? '');
  for await (const [key, job] of valuesOf<StoredJob>(view, repairs, below('job'), isLost)) {
    const { id, owner } = job.record;
    const hasWorkflow = parts.delete(workflowKey(id));
    const isWhole = job.hasSubmission !== true || parts.delete(submissionKey(id));
    if (hasWorkflow && isWhole) {
      jobs.push(job);
      continue;
    }
    repairs.tell(`The job ${id} of ${owner} has lost its workflow, so it ends as failed where it goes on.`);
    const known = isWhole ? job : withoutMember(job, 'hasSubmission');
    const marked: StoredJob = { ...known, record: { ...job.record, unreadable: true } };
    await repairs.put(key, marked);
    if (!hasWorkflow) await repairs.put(workflowKey(id), {});
    jobs.push(marked);
  }
  for (const key of parts) isLost(key);
  // A key with a part too many begins with the id of a job that may be whole.
  for (const { record } of jobs) lost.delete(record.id);
  const stoodFor = await standIns(view, repairs, lost, now);
  for (const { record } of stoodFor) parts.delete(workflowKey(record.id));
  for (const key of parts) {
    repairs.tell(`The entry ${key} belongs to no job that can be read.`);
    await repairs.remove(key);
  }
  return [...jobs, ...stoodFor];
};

/** The keys of a table; with `all` those of values that can be read. */
const keysIn = async (
  view: View,
  repairs: Repairs,
  table: 'workflow' | 'submission',
  all: boolean,
): Promise<readonly string[]> => {
  const keys: string[] = [];
  if (all) for await (const [key] of valuesOf(view, repairs, below(table))) keys.push(key);
  else for await (const page of pagesOf(view, below(table))) keys.push(...page.map(([key]) => key));
  return keys;
};

/** Removes pictures whose job is not known any more. */
const dropImages = async (view: View, repairs: Repairs, ids: ReadonlySet<string>): Promise<void> => {
  for await (const page of pagesOf(view, below('image'))) {
    for (const [key] of page) {
      if (ids.has(partsOf(key)?.[0] ?? '')) continue;
      repairs.tell(`The entry ${key} belongs to no job that can be read.`);
      await repairs.remove(key);
    }
  }
};

interface KnownUse {
  readonly owner: string;
  readonly key: string;
  readonly use: KeyUse;
}

/** The uses of keys: each job has its key, and a key whose job is not there is that of a forgotten one. */
const knownUses = async (
  view: View,
  repairs: Repairs,
  jobs: readonly StoredJob[],
  now: number,
): Promise<readonly KnownUse[]> => {
  const ofJobs = new Map<string, KnownUse>();
  for (const { record, place } of jobs) {
    const { owner, key, id: jobId, createdAt } = record;
    if (key !== undefined) ofJobs.set(useKey(owner, key), { owner, key, use: { jobId, createdAt, place } });
  }
  const uses: KnownUse[] = [];
  for await (const page of pagesOf(view, below('key'))) {
    for (const [at, text] of page) {
      const ofJob = ofJobs.get(at);
      if (ofJob !== undefined) continue;
      const [owner, key] = partsOf(at) ?? [];
      if (owner === undefined || key === undefined) {
        repairs.tell(`The entry ${at} can't be read.`);
        await repairs.setAside([at, text]);
        continue;
      }
      const known = readStored(at, text)?.value as KeyUse | undefined;
      const use: KeyUse = { ...(known ?? { jobId: '', createdAt: now, place: 0 }), forgotten: true };
      if (known?.forgotten !== true) {
        repairs.tell(`The entry ${at} is of a job that is not there: the key stays used for a day.`);
        await repairs.put(at, use);
      }
      uses.push({ owner, key, use });
    }
  }
  for (const [at, ofJob] of ofJobs) {
    uses.push(ofJob);
    await compareValue(view, repairs, at, ofJob.use);
  }
  return uses;
};
