import { isRecent } from './match-candidates.js';
import type { RecentJob } from '../endpoints/recent-jobs.js';

/** How many jobs are listed first. */
const firstListed = 256;

/**
 * The jobs of a history back to this moment: it is listed again, four times as far, until the list reaches the moment or is the
 * whole history.
 *
 * What `list` answers in place of jobs is the answer.
 */
export const endedSince = async <A extends string | undefined>(
  since: number,
  list: (limit: number) => Promise<readonly RecentJob[] | A>,
): Promise<readonly RecentJob[] | A> => {
  for (let limit = firstListed; ; limit *= 4) {
    const ended = await list(limit);
    const isWhole = typeof ended !== 'object' || ended.length < limit;
    if (isWhole || !ended.every((job) => isRecent(job, since))) return ended;
  }
};
