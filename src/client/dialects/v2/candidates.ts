import type { Ask } from './job-calls.js';
import { endedSince } from '../../../core/lost/ended-since.js';
import { isRecent, matchCandidates } from '../../../core/lost/match-candidates.js';
import { normalise } from '../../../core/lost/same-workflow.js';
import * as E from '../../../core/protocol/either.js';
import {
  type HistoryRoute,
  recentJobEndpoint,
  type RecentJob,
  recentJobsEndpoint,
} from '../../../core/endpoints/recent-jobs.js';
import { queueEndpoint } from '../../../core/endpoints/queue.js';
import type { Endpoint } from '../../../core/endpoints/endpoint.js';
import type { SubmitOptions } from '../../../core/http/rest.js';
import type { Workflow } from '../../../core/protocol/workflow.js';

/** How long one of the questions for candidates may take. */
const requestTimeoutMs = 5_000;

/**
 * The jobs that a submission of unknown outcome may have become: those of v1's queue and history, where the service serves one of
 * them beside API v2, that have the same workflow and are not older.
 *
 * The list of API v2 has no workflows, so without v1 there are no candidates. The queue is read first, because jobs move from it to the history.
 * Never rejects.
 */
export const candidatesFor = async (
  ask: Ask,
  workflow: Workflow,
  startedAt: number,
  { signal }: Pick<SubmitOptions, 'signal'> = {},
): Promise<readonly string[]> => {
  const read = async <A>(endpoint: Endpoint<A>): Promise<A | undefined> => {
    if (signal?.aborted === true) return undefined;
    const answer = await ask(endpoint, { signal, timeoutMs: requestTimeoutMs })();
    return E.isRight(answer) ? answer.right : undefined;
  };
  /** Undefined if the service does not serve this history. */
  const endedBy = (route: HistoryRoute): Promise<readonly RecentJob[] | undefined> =>
    endedSince(startedAt, (limit) => read(recentJobsEndpoint(route, limit)));
  /** Ends with the first question that gets no answer: the candidates are a help, and no reason to wait for each one of many. */
  const lookUp = async (jobs: readonly RecentJob[]): Promise<readonly RecentJob[]> => {
    const found: RecentJob[] = [];
    for (const { promptId } of jobs) {
      const record = await read(recentJobEndpoint('history_v2', promptId));
      if (record === undefined) break;
      found.push(...record);
    }
    return found;
  };

  const queue = await read(queueEndpoint());
  const ended = (await endedBy('history')) ?? (await endedBy('history_v2'));
  const recent = [...(queue?.running ?? []), ...(queue?.pending ?? []), ...(ended ?? [])].filter((job) =>
    isRecent(job, startedAt),
  );
  const unlisted = recent.filter((job) => job.workflow === undefined && ended?.includes(job));
  const { alike } = matchCandidates([...recent, ...(await lookUp(unlisted))], {
    since: startedAt,
    workflow: normalise(workflow),
    isMarked: false,
  });
  return [...new Set(alike)];
};
