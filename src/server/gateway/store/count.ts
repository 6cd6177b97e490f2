import type { Change } from './change.js';
import { get } from './view.js';
import { type JobTotals, noJobs, totalKey } from './job-values.js';

/** Changes the totals. */
export const count = async (change: Change, by: Partial<JobTotals>): Promise<void> => {
  const totals = (await get<JobTotals>(change, totalKey)) ?? noJobs;
  change.put(totalKey, {
    jobs: totals.jobs + (by.jobs ?? 0),
    size: totals.size + (by.size ?? 0),
    forgottenKeys: totals.forgottenKeys + (by.forgottenKeys ?? 0),
    place: by.place ?? totals.place,
  } satisfies JobTotals);
};
