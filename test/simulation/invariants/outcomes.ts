import { isServiceError } from '../../../src/core/errors/service-error.js';
import type { ServiceErrorTag } from '../../../src/core/errors/errors.js';
import type { Ledger, LoggedRequest } from '../ledger.js';
import type { Played } from '../play.js';
import type { SimJob } from '../sim-jobs.js';
import type { Watcher } from '../watcher.js';
import { changedAfterMs, notFoundAfterMs } from './patience.js';
import { untruthsOf } from './truth.js';
import { handleOf, isLook, settledAtOf, wrongFailure, wrongOutputs, wrongPhase } from './last-state.js';

/** What the jobs of one simulation came to, counted by watchers. */
export interface Outcomes {
  readonly lost: readonly string[];
  readonly wrong: readonly string[];
  readonly doubled: readonly string[];
  readonly incomplete: readonly string[];
  readonly jobs: number;
}

/** I2, I3 and I4, and the part of I1 that no clock decides: each watcher has one end, and it is the ledger's. */
export const outcomesOf = (played: Played): Outcomes => {
  const { observed, backend } = played;
  const lost: string[] = [];
  const wrong: string[] = [];
  const doubled: string[] = [];
  const incomplete: string[] = [];
  for (const watcher of observed.watchers) {
    const job = jobOf(played, watcher);
    const ends = watcher.states.filter(({ phase }) => isOver(phase));
    const who = `job ${watcher.job} (${watcher.name})`;
    if (ends.length > 1) doubled.push(`I4 ${who} ended ${ends.length} times`);
    if (ends.length === 1 && watcher.end() === undefined) doubled.push(`I4 ${who} went on after its end`);
    if (watcher.completed() && ends.length === 0) wrong.push(`I2 ${who} completed without an end`);
    if (watcher.leftAt() !== undefined || (played.disposedAt !== undefined && isClosed(watcher))) continue;
    if ((watcher.settledAt() ?? Infinity) >= played.endedAt && isClosed(watcher)) {
      lost.push(`I1 ${who} never settled`);
      continue;
    }
    if (watcher.hasError()) {
      const problem = wrongError(played, watcher);
      if (problem !== undefined) wrong.push(`I2 ${who} ${problem}`);
      continue;
    }
    if (watcher.end() === undefined || job === undefined) continue;
    const problem = wrongPhase(played, job, watcher) ?? wrongFailure(played, job, watcher);
    if (problem !== undefined) wrong.push(`I2 ${who} ${problem}`);
    const lacks = watcher.end()!.phase === job.phase ? wrongOutputs(played, job, watcher) : undefined;
    if (lacks !== undefined) incomplete.push(`I3 ${who} ${lacks}`);
  }
  for (const [plan, one] of byPlan(observed.watchers.filter(({ name }) => !isLook(name)))) {
    const ends = new Set(
      one
        .filter((w) => !w.hasError())
        .flatMap((w) => (w.end() === undefined ? [] : [JSON.stringify(w.end())])),
    );
    if (ends.size > 1) doubled.push(`I4 job ${plan} ended differently for its watchers`);
  }
  return { lost, wrong, doubled, incomplete, jobs: backend.jobs.byId.size };
};

/** What only the end of the client ended was never settled. */
const isClosed = ({ settledAt, error }: Watcher): boolean => {
  const problem = error();
  return settledAt() === undefined || (isServiceError(problem) && problem._tag === 'Closed');
};

const isOver = (phase: string): boolean =>
  ['completed', 'failed', 'cancelled', 'untraceable', 'unknown'].includes(phase);

const jobOf = ({ backend }: Played, { job, states }: Watcher): SimJob | undefined => {
  const promptId = states.at(-1)?.promptId ?? '';
  return backend.jobs.byId.get(promptId) ?? backend.jobsOfPlan(job)[0];
};

const byPlan = (watchers: readonly Watcher[]): Map<number, Watcher[]> => {
  const all = new Map<number, Watcher[]>();
  for (const watcher of watchers) all.set(watcher.job, [...(all.get(watcher.job) ?? []), watcher]);
  return all;
};

const refusals: ReadonlySet<ServiceErrorTag> = new Set<ServiceErrorTag>([
  'BadRequest',
  'Unauthorized',
  'Forbidden',
  'InsufficientCredits',
  'SubscriptionInactive',
  'QueueFull',
  'RateLimited',
  'ServerError',
  'Network',
  'UnexpectedStatus',
  'InvalidWorkflow',
  'InvalidConfig',
]);

const wrongError = (played: Played, watcher: Watcher): string | undefined => {
  const error = watcher.error();
  const { ledger, jobs } = played.backend;
  if (!isServiceError(error)) return 'errored with something untyped';
  const promptId = watcher.states.at(-1)?.promptId ?? '';
  if (error._tag === 'Aborted')
    return played.observed.aborted.has(watcher.job) ? undefined : 'was aborted without an abort';
  const id = promptId === '' ? (error.promptId ?? '') : promptId;
  const job = jobs.byId.get(id);
  if (job === undefined) return wrongRefusal(played, watcher.job, error, watcher.settledAt()!);
  // One handle asks for all its watchers, from when the first of them came.
  const same = handleOf(played, watcher);
  const settledAt = settledAtOf(same);
  const since = Math.min(...same.map((one) => one.since));
  const untruths = untruthsOf(played, id, 'status');
  const wasUntrueFor = (ms: number): boolean =>
    untruths.some(({ from, until }) => {
      const begin = Math.max(from, since);
      return begin <= settledAt && Math.min(until, settledAt) - begin >= ms;
    });
  switch (error._tag) {
    case 'Unauthorized':
      return ledger.untruths.some(
        ({ isRefusal, from, until }) => isRefusal === true && from <= settledAt && until > settledAt - 1_000,
      )
        ? undefined
        : 'was refused though the key is good';
    case 'NotFound':
      if (job.hiddenUntil === Infinity || job.leavesNoTrace === true) return undefined;
      return wasUntrueFor(notFoundAfterMs)
        ? undefined
        : 'was not found, though it was only missing for a moment';
    case 'ProtocolChanged':
      return wasUntrueFor(changedAfterMs) ? undefined : 'called the protocol changed';
    default:
      return `errored with ${error._tag} after it was accepted`;
  }
};

/** A refusal has to be one: nothing was accepted, and something had befallen the submission. */
export const wrongRefusal = (
  played: Played,
  plan: number,
  error: unknown,
  at: number,
): string | undefined => {
  const { backend, observed, disposedAt } = played;
  if (!isServiceError(error)) return 'errored with something untyped';
  const { ledger } = backend;
  const { startsAt = 0 } = played.schedule.jobs.find(({ index }) => index === plan) ?? {};
  const hadFault = ledger.untruths.some(
    ({ promptId, from, until }) => promptId === undefined && from <= at && until >= startsAt,
  );
  if (disposedAt !== undefined && error._tag === 'Closed') return undefined;
  const accepted = ledger.accepted.filter(({ correlation }) => correlation === plan).length;
  const posts = ledger.requests.filter(({ correlation }) => correlation === plan);
  if (accepted > 0 && refusals.has(error._tag)) return `was accepted, but is reported as ${error._tag}`;
  const troubled =
    observed.aborted.has(plan) ||
    disposedAt !== undefined ||
    posts.some(({ fate }) => fate !== 'fine') ||
    ledger.stops.some((stop) => stop.at <= at) ||
    hadFault;
  if (!troubled && error._tag !== 'Aborted')
    return `was refused with ${error._tag}, though nothing was wrong`;
  const isAlone = !observed.aborted.has(plan) && ledger.stops.length === 0 && !hadFault;
  if (isAlone && isOnePage(ledger, posts)) return `was refused with ${error._tag} by one page of a proxy`;
  const unsent = posts.filter(({ fate }) => fate === 'unsent').length;
  const isOnlyUnsent = posts.length > 0 && posts.every(({ fate }) => fate === 'unsent');
  if (isOnlyUnsent && unsent < 4 && ledger.stops.length === 0 && !hadFault && error._tag === 'Network')
    return `never left and was not sent again (${unsent} times)`;
  const ambiguous = posts.some(
    ({ fate, status }) =>
      ['cut', 'stalls'].includes(fate) ||
      (['drips', 'breaks off'].includes(fate) && (status ?? 0) < 400) ||
      (fate === 'says' && [500, 504].includes(status ?? 0)),
  );
  if (ambiguous && !['OutcomeUnknown', 'Aborted'].includes(error._tag))
    return `may have been accepted, but is reported as ${error._tag}`;
  return undefined;
};

/** Whether a single 429 without a type is all that befell a submission: no other answer says that the plan is inactive. */
const isOnePage = ({ requests }: Ledger, posts: readonly LoggedRequest[]): boolean => {
  const [met, ...others] = posts.filter(({ fate }) => fate !== 'fine');
  return (
    met?.stray === 'a stray 429 without a type' &&
    others.length === 0 &&
    requests.filter(({ status }) => status === 429).length === 1
  );
};
