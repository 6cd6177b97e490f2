import type { AddResult, JobRecord, OwnerShare } from '../../joblog/job-index.js';
import type { Change } from './change.js';
import { changeShare, jobShares } from './shares.js';
import { count } from './count.js';
import {
  indexKeys,
  jobKey,
  jobsAt,
  type JobTotals,
  type KeyUse,
  noJobs,
  type StoredJob,
  submissionKey,
  totalKey,
  useKey,
  workflowKey,
} from './job-values.js';
import { get, has } from './view.js';
import { type JobIndexLimits, makeRoom } from './make-room.js';
import { turnForLargeText } from '../../joblog/turn-for-large.js';
import { writeExactJson } from '../../../core/protocol/json/exact-json.js';
import { textOf, writeMembers } from '../../../core/protocol/json/write-once.js';

/** Adds a job, unless its key is used or there is no room for it. */
export const addJob = async (
  change: Change,
  record: JobRecord,
  limits: JobIndexLimits,
  { maxSize: maxOwnSize = Infinity }: OwnerShare = {},
): Promise<AddResult> => {
  const { id, owner, key, createdAt } = record;
  if (key !== undefined && (await has(change, useKey(owner, key)))) {
    const use = await get<KeyUse>(change, useKey(owner, key));
    const [existing] = use === undefined ? [] : await jobsAt(change, [use.jobId]);
    return { _tag: 'keyUsed', ...(existing !== undefined && { existing: existing.whole }) };
  }
  const { workflow, kept, ...rest } = record;
  // The workflows, which may have megabytes, are written once, and their sums are made in other turns.
  const text = textOf(workflow);
  await turnForLargeText(text);
  const submission = kept && writeMembers(kept);
  const others = writeExactJson(rest);
  const size =
    others.length +
    ',"workflow":'.length +
    text.length +
    (submission === undefined ? 0 : ',"kept":'.length + submission.length);
  const evicted = await makeRoom(change, { owner, size, limits, maxOwnSize });
  if (typeof evicted === 'string') return { _tag: 'full', whose: evicted };
  const place = ((await get<JobTotals>(change, totalKey)) ?? noJobs).place + 1;
  const job: StoredJob = {
    ...{ record: rest, place, size },
    ...(kept !== undefined && { hasSubmission: true }),
    ...boundOf(maxOwnSize),
  };
  change.put(jobKey(id), job);
  change.putText(workflowKey(id), text);
  if (submission !== undefined) {
    await turnForLargeText(submission);
    change.putText(submissionKey(id), submission);
  }
  await turnForLargeText(text);
  for (const indexKey of indexKeys(job)) change.put(indexKey, null);
  if (key !== undefined) change.put(useKey(owner, key), { jobId: id, createdAt, place } satisfies KeyUse);
  await count(change, { jobs: 1, size, place });
  await changeShare(change, jobShares, owner, { jobs: 1, size });
  return { _tag: 'added', evicted };
};

/** JSON knows no infinite number. */
const boundOf = (maxOwnSize: number): Pick<StoredJob, 'maxOwnSize'> =>
  maxOwnSize < Infinity ? { maxOwnSize } : {};
