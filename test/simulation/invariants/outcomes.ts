import { isServiceError } from '../../../src/protocol/errors/service-error.js';
import type { ServiceErrorTag } from '../../../src/protocol/errors/errors.js';
import type { Played } from '../play.js';
import type { SimJob } from '../sim-jobs.js';
import type { Watcher } from '../watcher.js';

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
  const { observed, world } = played;
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
    const end = watcher.end();
    if (end === undefined || job === undefined) continue;
    const problem = wrongEnd(played, job, watcher);
    if (problem !== undefined) wrong.push(`I2 ${who} ${problem}`);
    else if (end.phase === 'completed' && watcher.name !== 'late' && watcher.name !== 'again') {
      const lacks = incompleteEnd(played, job, watcher);
      if (lacks !== undefined) incomplete.push(`I3 ${who} ${lacks}`);
    }
  }
  for (const [plan, one] of byPlan(observed.watchers)) {
    const ends = new Set(
      one
        .filter((w) => !w.hasError())
        .flatMap((w) => (w.end() === undefined ? [] : [JSON.stringify(w.end())])),
    );
    if (ends.size > 1 && one[0]?.name !== 'refollow' && !one.some(({ name }) => name === 'refollow'))
      doubled.push(`I4 job ${plan} ended differently for its watchers`);
  }
  return { lost, wrong, doubled, incomplete, jobs: world.jobs.byId.size };
};

/** What only the end of the client ended was never settled. */
const isClosed = ({ settledAt, error }: Watcher): boolean => {
  const problem = error();
  return settledAt() === undefined || (isServiceError(problem) && problem._tag === 'Closed');
};

const isOver = (phase: string): boolean =>
  phase === 'completed' || phase === 'failed' || phase === 'cancelled' || phase === 'untraceable';

const jobOf = ({ world }: Played, { job, states }: Watcher): SimJob | undefined => {
  const promptId = states.at(-1)?.promptId ?? '';
  return world.jobs.byId.get(promptId) ?? world.jobsOfPlan(job)[0];
};

const byPlan = (watchers: readonly Watcher[]): Map<number, Watcher[]> => {
  const all = new Map<number, Watcher[]>();
  for (const watcher of watchers) all.set(watcher.job, [...(all.get(watcher.job) ?? []), watcher]);
  return all;
};

const wrongEnd = ({ world }: Played, job: SimJob, watcher: Watcher): string | undefined => {
  const { phase } = watcher.end()!;
  if (phase === job.phase && (job.hiddenUntil !== Infinity || world.ledger.heard.has(job.promptId)))
    return undefined;
  const told = world.ledger.toldEnd.get(job.promptId);
  if (phase === 'untraceable') {
    const misses = (world.ledger.misses.get(job.promptId) ?? []).filter((at) => at <= watcher.settledAt()!);
    const farApart = misses.some((one) => misses.some((other) => other - one >= 30_000));
    if (job.hiddenUntil === Infinity && farApart) return undefined;
    const knewOthers = [...world.ledger.known].some(
      ([id, at]) => id !== job.promptId && at < watcher.settledAt()!,
    );
    if (world.routesGoneUntil > 0 && knewOthers) return 'is untraceable, though only the routes were gone';
    return farApart && told === undefined ? undefined : `is untraceable, but it was ${job.phase}`;
  }
  // A socket that lies is believed only where REST had no chance to contradict it.
  if (phase === job.says && (told === undefined || told > watcher.settledAt()!)) return undefined;
  return `ended as ${phase}, but it was ${job.hiddenUntil === Infinity ? 'gone' : job.phase}`;
};

const incompleteEnd = (played: Played, job: SimJob, watcher: Watcher): string | undefined => {
  const end = watcher.end()!;
  const { ledger } = played.world;
  if (end.outputsComplete) {
    return JSON.stringify(end.outputs) === JSON.stringify({ ...job.outputs })
      ? undefined
      : 'has other outputs than history';
  }
  const settledAt = watcher.settledAt()!;
  const waited = 12_000;
  // A record that trails the end is awaited for a while before the outputs are given up.
  const lagged = (job.recordAt ?? 0) > settledAt - 4_000 && settledAt - (job.endedAt ?? 0) >= waited;
  const troubled =
    (ledger.jobTroubledUntil.get(job.promptId) ?? 0) > settledAt - waited - 5_000 ||
    ledger.troubledUntil > settledAt - waited - 5_000 ||
    ledger.requests.some(
      ({ promptId, route, fate, at, settledAt: answeredAt = Infinity }) =>
        promptId === job.promptId &&
        route === 'history' &&
        fate !== 'fine' &&
        at < settledAt &&
        answeredAt > settledAt - 90_000,
    );
  return lagged || troubled ? undefined : 'has incomplete outputs, though history had them';
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
  const { ledger } = played.world;
  if (!isServiceError(error)) return 'errored with something untyped';
  const promptId = watcher.states.at(-1)?.promptId ?? '';
  if (error._tag === 'Aborted') return undefined;
  if (error._tag === 'Unauthorized')
    return ledger.stops.some(({ kind }) => kind === 'auth')
      ? undefined
      : 'was refused though the key is good';
  if (promptId === '') return wrongRefusal(played, watcher.job, error);
  if (error._tag === 'NotFound') {
    const misses = ledger.misses.get(promptId) ?? [];
    return misses.length >= 2 ? undefined : 'was not found without being looked for twice';
  }
  return `errored with ${error._tag} after it was accepted`;
};

/** A refusal has to be one: nothing was accepted, and something had befallen the submission. */
export const wrongRefusal = (
  { world, observed, disposedAt }: Played,
  plan: number,
  error: unknown,
): string | undefined => {
  if (!isServiceError(error)) return 'errored with something untyped';
  const { ledger } = world;
  if (disposedAt !== undefined && error._tag === 'Closed') return undefined;
  const accepted = ledger.accepted.filter(({ correlation }) => correlation === plan).length;
  const posts = ledger.requests.filter(({ correlation }) => correlation === plan);
  if (accepted > 0 && refusals.has(error._tag)) return `was accepted, but is told as ${error._tag}`;
  const troubled =
    observed.aborted.has(plan) ||
    disposedAt !== undefined ||
    posts.some(({ fate }) => fate !== 'fine') ||
    ledger.stops.length > 0 ||
    ledger.troubledUntil > 0;
  if (!troubled && error._tag !== 'Aborted')
    return `was refused with ${error._tag}, though nothing was wrong`;
  const unsent = posts.filter(({ fate }) => fate === 'unsent').length;
  const isOnlyUnsent = posts.length > 0 && posts.every(({ fate }) => fate === 'unsent');
  if (
    isOnlyUnsent &&
    unsent < 4 &&
    ledger.stops.length === 0 &&
    ledger.troubledUntil === 0 &&
    error._tag === 'Network'
  )
    return `never left and was not sent again (${unsent} times)`;
  const ambiguous = posts.some(
    ({ fate, status }) =>
      ['cut', 'stalls'].includes(fate) ||
      (['drips', 'breaks off'].includes(fate) && (status ?? 0) < 400) ||
      (fate === 'says' && [500, 504].includes(status ?? 0)),
  );
  if (ambiguous && !['OutcomeUnknown', 'Aborted'].includes(error._tag))
    return `may have been accepted, but is told as ${error._tag}`;
  return undefined;
};
