import * as E from '../protocol/either.js';
import { endedSince } from './ended-since.js';
import { isRecent, markerOf } from './match-candidates.js';
import type { RecentJob } from '../endpoints/recent-jobs.js';
import type { Rest } from '../http/rest.js';
import type { ServiceError } from '../errors/errors.js';

/** How long one question may take, in milliseconds. */
const requestTimeoutMs = 10_000;

/** The service that is searched, and which of its jobs may be of lost submissions. */
export interface JobSearch {
  readonly rest: Pick<Rest, 'queue' | 'recentJobs' | 'jobDetail'>;
  /** When the first submission that is looked for left, in milliseconds since 1970. */
  readonly since: number;
  /** Whether the workflow is that of a submission that is looked for. */
  readonly isMeant: (workflow: unknown) => boolean;
  /** Whether submissions carry their ids as markers. */
  readonly isMarked: boolean;
  /** Those of these jobs of the service that belong to no other submission. */
  readonly unclaimed: (promptIds: readonly string[]) => Promise<readonly string[]>;
}

/**
 * The jobs in the queue and history of a service that may be of a lost submission, with what tells them apart: workflow and marker.
 *
 * The queue is read first, because jobs move from it to the history. A service that serves neither list shows none. Undefined if
 * the service does not answer. Rejects where `unclaimed` does.
 */
export const jobsSince = async (search: JobSearch): Promise<readonly RecentJob[] | undefined> => {
  const { rest, since, unclaimed } = search;
  const queue = shown(await rest.queue({ timeoutMs: requestTimeoutMs })());
  const list = async (limit: number) =>
    shown(await rest.recentJobs({ timeoutMs: requestTimeoutMs, limit })());
  const ended = queue && (await endedSince(since, list));
  if (queue === undefined || ended === undefined) return undefined;
  const waiting = queue === 'not served' ? [] : [...queue.running, ...queue.pending];
  const jobs = new Map<string, RecentJob>();
  for (const job of [...waiting, ...(ended === 'not served' ? [] : ended)]) {
    if (isRecent(job, since)) jobs.set(job.promptId, { ...jobs.get(job.promptId), ...withoutAbsent(job) });
  }
  const found: RecentJob[] = [];
  for (const promptId of await unclaimed([...jobs.keys()])) {
    const job = await described(search, jobs.get(promptId) ?? { promptId });
    if (job === undefined) return undefined;
    found.push(job);
  }
  return found;
};

/** The job with what its listing leaves out and has to be known; undefined if the service did not answer. */
const described = async (
  { rest, isMarked, isMeant }: JobSearch,
  job: RecentJob,
): Promise<RecentJob | undefined> => {
  const { promptId } = job;
  const asked = { timeoutMs: requestTimeoutMs };
  if (isMarked && markerOf(job) !== undefined) return job;
  if (job.workflow === undefined) {
    const record = shown(await rest.recentJobs({ ...asked, promptIds: [promptId] })());
    if (record === undefined || record === 'not served') return record && job;
    return { ...job, ...(record[0] && withoutAbsent(record[0])) };
  }
  // The listing of what waits has no room for the marker.
  if (!isMarked || job.extraData !== undefined || !isMeant(job.workflow)) return job;
  const detail = shown(await rest.jobDetail(promptId, asked)());
  return detail === undefined || detail === 'not served' ? detail && job : { ...job, ...detail };
};

/** The answer; `not served` where the service says that it has no such thing, undefined if it does not answer. */
const shown = <A>(answer: E.Either<ServiceError, A>): A | 'not served' | undefined => {
  if (E.isRight(answer)) return answer.right;
  const { _tag, sample } = answer.left;
  const isOwnWord = _tag === 'NotSupported' || (_tag === 'NotFound' && sample?.startsWith('{') === true);
  return isOwnWord ? 'not served' : undefined;
};

const withoutAbsent = <A extends object>(value: A): A =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as A;
