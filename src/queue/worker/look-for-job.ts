import { canonicalJson } from '../../protocol/json/canonical-json.js';
import * as E from '../../protocol/either.js';
import type { Intent } from '../policy/intent.js';
import type { Look } from '../policy/next-step.js';
import type { RecentJob, Rest, ServiceError, Workflow } from 'promptwire';
import { writeExactJson } from '../../protocol/json/exact-json.js';

/** The member of `extra_data` that names the submission, where the service has no other place for its id. */
export const markerField = 'promptwire_submission';

/** What a look sees; undefined where the service did not answer. */
type Seen = Omit<Look, 'at'> | undefined;

/** How long one question may take, in milliseconds. */
const askedWithinMs = 10_000;
/** A clock of the service may be that much behind the store's, in milliseconds. */
const clockSkewMs = 60_000;
/** So many jobs are listed first, and so many at most where all of these are younger than the submission. */
const [firstListed, mostListed] = [256, 4_096];

/** Looks for the job of a submission whose id is the job's own. */
export const lookById = async (
  rest: Pick<Rest, 'jobStatus'>,
  { submissionId }: Pick<Intent, 'submissionId'>,
): Promise<Seen> => {
  const answer = await rest.jobStatus(submissionId, { timeoutMs: askedWithinMs })();
  if (E.isRight(answer)) return { marked: [submissionId], alike: [] };
  // Only the empty record is the server's own word for an unknown job; any other 404 may be a proxy's page.
  const isUnknown = answer.left._tag === 'NotFound' && /^\{\s*\}$/u.test(answer.left.sample ?? '');
  return isUnknown ? { marked: [], alike: [] } : undefined;
};

/** What {@link lookForJob} takes. */
export interface JobSearch {
  readonly rest: Pick<Rest, 'queue' | 'recentJobs' | 'job'>;
  readonly workflow: Workflow;
  readonly intent: Pick<Intent, 'submissionId' | 'since'>;
  /** Whether the submission carried its id as a marker. */
  readonly isMarked: boolean;
  /** Those of these jobs of the service that belong to no other job of the queue. */
  readonly unclaimed: (promptIds: readonly string[]) => Promise<readonly string[]>;
}

/**
 * Looks for the job of a submission in queue and history, by its marker and by its workflow.
 *
 * The queue is read first, because jobs move from it to the history. A job with the marker of another submission is not alike. A
 * service that serves neither list shows nothing. Rejects where `unclaimed` does.
 */
export const lookForJob = async (search: JobSearch): Promise<Seen> => {
  const { rest, workflow, intent, isMarked, unclaimed } = search;
  const asked = { timeoutMs: askedWithinMs };
  const queue = shown(await rest.queue(asked)());
  const ended = queue && (await endedSince(rest, intent.since - clockSkewMs));
  if (queue === undefined || ended === undefined) return undefined;
  const waiting = queue === 'not served' ? [] : [...queue.running, ...queue.pending];
  const jobs = new Map<string, RecentJob>();
  for (const job of [...waiting, ...(ended === 'not served' ? [] : ended)]) {
    if (isYoung(job, intent.since - clockSkewMs))
      jobs.set(job.promptId, { ...jobs.get(job.promptId), ...withoutAbsent(job) });
  }
  const free = await unclaimed([...jobs.keys()]);
  const own = canonical(workflow);
  const [marked, alike]: [string[], string[]] = [[], []];
  for (const promptId of free) {
    const job = await described(search, jobs.get(promptId) ?? { promptId }, own);
    if (job === undefined) return undefined;
    const marker = isMarked ? job.extraData?.[markerField] : undefined;
    if (marker === intent.submissionId) marked.push(promptId);
    else if (marker === undefined && canonicalJson(job.workflow) === own) alike.push(promptId);
  }
  return { marked, alike };
};

const isYoung = ({ createdAt = Infinity }: RecentJob, since: number): boolean => createdAt >= since;

/** The jobs of the history, as far back as this moment where it lists so many. */
const endedSince = async (
  rest: Pick<Rest, 'recentJobs'>,
  since: number,
): Promise<readonly RecentJob[] | 'not served' | undefined> => {
  for (let limit = firstListed; ; limit *= 4) {
    const ended = shown(await rest.recentJobs({ timeoutMs: askedWithinMs, limit })());
    if (ended === undefined || ended === 'not served' || limit >= mostListed) return ended;
    if (ended.length < limit || !ended.every((job) => isYoung(job, since))) return ended;
  }
};

/** The job with what its listing leaves out and has to be known; undefined where the service did not answer. */
const described = async (
  { rest, isMarked }: JobSearch,
  job: RecentJob,
  own: string | undefined,
): Promise<RecentJob | undefined> => {
  const { promptId } = job;
  const asked = { timeoutMs: askedWithinMs };
  if (isMarked && typeof job.extraData?.[markerField] === 'string') return job;
  if (job.workflow === undefined) {
    const record = shown(await rest.recentJobs({ ...asked, promptIds: [promptId] })());
    if (record === undefined || record === 'not served') return record && job;
    return { ...job, ...(record[0] && withoutAbsent(record[0])) };
  }
  // The listing of what waits has no room for the marker.
  if (!isMarked || job.extraData !== undefined || canonicalJson(job.workflow) !== own) return job;
  const detail = shown(await rest.job(promptId, asked)());
  return detail === undefined || detail === 'not served' ? detail && job : { ...job, ...detail };
};

/** The answer; `not served` where the service says that it has no such thing, undefined where it does not answer. */
const shown = <A>(answer: E.Either<ServiceError, A>): A | 'not served' | undefined => {
  if (E.isRight(answer)) return answer.right;
  const { _tag, sample } = answer.left;
  const isOwnWord = _tag === 'NotSupported' || (_tag === 'NotFound' && sample?.startsWith('{') === true);
  return isOwnWord ? 'not served' : undefined;
};

const withoutAbsent = <A extends object>(value: A): A =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as A;

/** The service's answers are parsed with integers beyond 2^53 rounded. */
const canonical = (workflow: Workflow): string | undefined =>
  canonicalJson(JSON.parse(writeExactJson(workflow)));
