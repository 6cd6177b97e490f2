import * as E from '../../core/protocol/either.js';
import type { FindSubmission } from './dialect.js';
import type { HttpConnection } from '../../core/http/connection.js';
import { isAbsent, noList } from './jobs-by-api.js';
import { isRecent, type LostSubmission, matchCandidates } from '../../core/lost/match-candidates.js';
import { jobDetailEndpoint } from '../../core/endpoints/job-detail.js';
import { jobsPageEndpoint } from '../../core/endpoints/job-list.js';
import { request } from '../../core/http/request.js';

/** So many of the latest jobs are listed, and so many of those that may be meant are read, by each look. */
const maxListed = 100;
const maxRead = 20;

/**
 * Finds the job of a cloud service that a submission became whose answer was lost: the one whose `extra_data` has its marker.
 *
 * A list shows no `extra_data`, so that the jobs since the submission are read one by one, the newest first, up to a bound. A service
 * without that list is `NotSupported`, and one that shows no `extra_data` shows none.
 */
export const findCloudSubmission =
  (connection: HttpConnection): FindSubmission =>
  ({ submissionId, startedAt }, options = {}) =>
  async () => {
    // The marker alone decides.
    const lost: LostSubmission = { submissionId, since: startedAt, workflow: undefined, isMarked: true };
    const ask = request(connection);
    const query = { limit: String(maxListed), sort_by: 'create_time', sort_order: 'desc' };
    const page = await ask(jobsPageEndpoint(query), options)();
    if (E.isLeft(page)) return isAbsent(page.left) ? E.left(noList(page.left)) : page;
    const recent = page.right.jobs.filter(({ queuedAt }) => isRecent({ createdAt: queuedAt }, lost.since));
    for (const { promptId } of recent.slice(0, maxRead)) {
      const detail = await ask(jobDetailEndpoint(promptId, { workflow: true }), options)();
      if (E.isLeft(detail)) continue;
      const { marked } = matchCandidates([{ ...detail.right, promptId }], lost);
      if (marked.length > 0) return E.right(marked);
    }
    return E.right([]);
  };
