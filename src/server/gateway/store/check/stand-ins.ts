import { below, keyOf, partsOf } from '../keys.js';
import { jobKey, type KeyUse, type StoredJob, workflowKey } from '../job-values.js';
import { type Entry, pagesOf, type View } from '../view.js';
import type { Repairs } from './repairs.js';
import { readStored } from '../stored-value.js';

/** What lists and keys still say of a job that can't be read. */
interface Remains {
  readonly owner: string;
  readonly place: number;
  readonly key?: string;
  readonly createdAt?: number;
}

/** How long a job stays listed whose times are unknown, in milliseconds. */
const dayMs = 24 * 60 * 60 * 1000;

/**
 * Puts a record in the place of each of these jobs, which can't be read, by what lists and keys still say of it: its owner sees that it
 * has failed, and its key stays used. A job whose owner nothing names is gone.
 */
export const standIns = async (
  view: View,
  repairs: Repairs,
  ids: ReadonlySet<string>,
  now: number,
): Promise<readonly StoredJob[]> => {
  if (ids.size === 0) return [];
  const jobs: StoredJob[] = [];
  for (const [id, { owner, place, key, createdAt = now }] of await remainsOf(view, ids)) {
    const record = {
      ...{ id, owner, client: '', createdAt, expiresAt: now + dayMs, submissionId: '' },
      ...(key !== undefined && { key }),
      unreadable: true as const,
    };
    const [workflow] = await view.texts([workflowKey(id)]);
    const isWhole = workflow !== undefined && readStored(workflowKey(id), workflow) !== undefined;
    if (!isWhole) await repairs.put(workflowKey(id), {});
    const job: StoredJob = {
      record,
      place,
      size: JSON.stringify(record).length + (isWhole ? workflow.length : 0),
    };
    await repairs.put(jobKey(id), job);
    jobs.push(job);
    repairs.tell(`The job ${id} of ${owner} can't be read, so it ends as failed.`);
  }
  return jobs;
};

/** By the lists of owners, and by the uses of keys. */
const remainsOf = async (view: View, ids: ReadonlySet<string>): Promise<ReadonlyMap<string, Remains>> => {
  const found = new Map<string, Remains>();
  for await (const page of pagesOf(view, below('job-of'))) {
    for (const [key] of page) {
      const [owner = '', digits, id = ''] = partsOf(key) ?? [];
      const place = Number(digits);
      if (ids.has(id) && key === keyOf('job-of', owner, place, id)) found.set(id, { owner, place });
    }
  }
  for await (const page of pagesOf(view, below('key'))) {
    for (const entry of page) {
      const use = readUse(entry);
      if (use === undefined || !ids.has(use.jobId)) continue;
      const { place = use.place } = found.get(use.jobId) ?? {};
      found.set(use.jobId, { owner: use.owner, place, key: use.key, createdAt: use.createdAt });
    }
  }
  return found;
};

/** The use of a key whose job is not forgotten. */
const readUse = ([at, text]: Entry):
  (KeyUse & { readonly owner: string; readonly key: string }) | undefined => {
  const [owner, key] = partsOf(at) ?? [];
  const use = readStored(at, text)?.value as KeyUse | undefined;
  if (owner === undefined || key === undefined || use === undefined || use.forgotten === true)
    return undefined;
  return { ...use, owner, key };
};
