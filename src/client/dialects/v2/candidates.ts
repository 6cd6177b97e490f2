import type { Ask } from './job-calls.js';
import { canonicalJson } from '../../../core/protocol/json/canonical-json.js';
import * as E from '../../../core/protocol/either.js';
import {
  recentJobEndpoint,
  type RecentJob,
  recentJobsEndpoint,
} from '../../../core/endpoints/recent-jobs.js';
import { queueEndpoint } from '../../../core/endpoints/queue.js';
import type { Endpoint } from '../../../core/endpoints/endpoint.js';
import type { SubmitOptions } from '../../../core/http/rest.js';
import type { Workflow } from '../../../core/protocol/workflow.js';
import { parseSent } from '../../../core/protocol/json/parse-sent.js';
import { writeExactJson } from '../../../core/protocol/json/exact-json.js';

/** How long one of the questions for candidates may take. */
const askedWithinMs = 5_000;
/** A clock of the service may be that much behind the client's. */
const clockSkewMs = 60_000;
/** How many jobs of a history that lists no workflows are looked up. */
const mostLookedUp = 4;

/**
 * The jobs that a submission of unknown outcome may have become: those of v1's queue and history, where the service serves one of
 * them beside API v2, that have the same workflow and are not older.
 *
 * API v2 itself lists no jobs, so without v1 there are none. The queue is read first, because jobs move from it to the history.
 * Never rejects.
 */
export const candidatesFor = async (
  ask: Ask,
  workflow: Workflow,
  startedAt: number,
  { signal }: Pick<SubmitOptions, 'signal'> = {},
): Promise<readonly string[]> => {
  const written = writeExactJson(workflow);
  // A service may round integers beyond 2^53.
  const shown = [written, JSON.stringify(JSON.parse(written))].map((text) => canonicalJson(parseSent(text)));
  const isShown = (listed: string | undefined): boolean => listed !== undefined && shown.includes(listed);
  const read = async <A>(endpoint: Endpoint<A>): Promise<A | undefined> => {
    if (signal?.aborted === true) return undefined;
    const answer = await ask(endpoint, { signal, timeoutMs: askedWithinMs })();
    return E.isRight(answer) ? answer.right : undefined;
  };
  const lookUp = async (jobs: readonly RecentJob[]): Promise<readonly RecentJob[]> => {
    const found: RecentJob[] = [];
    for (const { promptId } of jobs.slice(0, mostLookedUp))
      found.push(...((await read(recentJobEndpoint('history_v2', promptId))) ?? []));
    return found;
  };

  const isYoung = ({ createdAt = Infinity }: RecentJob): boolean => createdAt >= startedAt - clockSkewMs;
  const queue = await read(queueEndpoint());
  const ended = (await read(recentJobsEndpoint('history'))) ?? (await read(recentJobsEndpoint('history_v2')));
  const young = [...(queue?.running ?? []), ...(queue?.pending ?? []), ...(ended ?? [])].filter(isYoung);
  const unlisted = young.filter((job) => job.workflow === undefined && ended?.includes(job));
  const candidates = [...young, ...(await lookUp(unlisted))].filter((job) =>
    isShown(canonicalJson(job.workflow)),
  );
  return [...new Set(candidates.map(({ promptId }) => promptId))];
};
