import type { Fault } from '../../../src/emulator.js';
import type { ServiceError } from '../../../src/core/errors/errors.js';
import { isServiceError } from '../../../src/core/errors/service-error.js';
import { type Random, randomOf } from '../../simulation/random.js';
import { type CutKind, cutPoints, type Expected } from '../cut-points.js';
import { drawJobs } from './draw-jobs.js';
import type { RealPlan } from './plan.js';
import type { RealRun } from './play-real.js';

const route = 'POST /api/prompt';
const answer = (status: number, commit: boolean, type = '', wait = ''): Fault => ({
  on: 'rest',
  route,
  do: 'answer',
  status,
  commit,
  ...(wait === '' ? {} : { headers: { 'retry-after': wait } }),
  ...(type === '' ? {} : { body: JSON.stringify({ error: { type, message: 'no' } }) }),
});
const often = (random: Random, fault: Fault): Fault => ({ ...fault, times: random.between(1, 2) });
const how = (random: Random): 'rst' | 'fin' => random.pick(['rst', 'fin']);
const http = (action: object): Fault => ({ on: 'http', route, ...action }) as Fault;

/** The twelve points, as they are on real sockets. */
const faultsAt: Readonly<Record<CutKind, (random: Random) => readonly Fault[]>> = {
  'submission never leaves': () => [],
  'submission meets 429 with a wait': (random) => [often(random, answer(429, false, 'RATE_LIMITED', '1'))],
  'submission meets 503 with a wait': (random) => [
    often(random, answer(503, false, 'DEPLOYMENT_NOT_READY', '1')),
  ],
  'submission cut before it was accepted': (random) => [
    http({ do: 'cut', phase: 'before', how: how(random) }),
  ],
  'submission cut after it was accepted': (random) => [
    { on: 'rest', route, do: 'commit-then-cut', how: how(random) },
  ],
  'submission accepted, answer never comes': (random) => [
    http({ do: 'stall', phase: random.pick(['afterCommit', 'headers', 'body']) }),
  ],
  'submission accepted, answer drips': () => [http({ do: 'drip', bytesPerSecond: 4 })],
  'submission accepted, answer breaks off': (random) => [
    http({ do: 'cut', phase: random.pick(['headers', 'body']), how: how(random) }),
  ],
  'submission accepted, then 500': () => [answer(500, true)],
  'submission meets 502': () => [answer(502, false)],
  'submission meets 504 after it was accepted': () => [answer(504, true)],
  'user aborts': () => [],
};

/** Here the client waits for as long as it ever does. */
const waits: ReadonlySet<CutKind> = new Set([
  'submission accepted, answer never comes',
  'submission accepted, answer drips',
]);

/** One submission on real sockets, cut at the point of its seed; every tenth seed has one. */
export const drawCut = (seed: number): { readonly plan: RealPlan; readonly expected: Expected } => {
  const random = randomOf(seed, 7);
  const [kind, expected] = cutPoints[Math.floor(seed / 10) % cutPoints.length]!;
  // Only where a deadline has to pass is there any hurry; elsewhere the machine may take its time.
  const hurry = waits.has(kind) ? 15 : 5;
  const [job] = drawJobs(random, 1);
  const aborts = {
    at: random.pick(['connecting', 'posting', 'sent', 'answered'] as const),
    afterMs: random.between(0, 4),
  };
  const plan: RealPlan = {
    seed,
    hurry,
    speed: Infinity,
    jobs: [{ ...job!, cancels: false, ...(kind === 'user aborts' ? { aborts } : {}) }],
    strikes: [{ index: 0, kind, faults: faultsAt[kind](random) }],
    startsLate: kind === 'submission never leaves',
  };
  return { plan, expected };
};

/** What is wrong with the end of a cut submission, if anything is. */
export const cutProblem = (run: RealRun, expected: Expected): string | undefined => {
  const { ledger, users, platform } = run;
  const [watcher] = users.watchers;
  const error = users.refusals.get(0)?.error ?? watcher?.error();
  const accepted = ledger.jobs.length;
  if (accepted > 1) return `accepted ${accepted} times`;
  if (expected === 'sent again') {
    if (accepted !== 1 || error !== undefined) return `not sent again to its success: ${tagOf(error)}`;
    return ledger.faults.length > 0 || platform.unsent.length > 0 ? undefined : 'not cut at all';
  }
  if (expected === 'left')
    return error === undefined || isLeft(error) ? undefined : `wrongly typed: ${tagOf(error)}`;
  if (!isServiceError(error) || error._tag !== 'OutcomeUnknown')
    return `not reported as unknown: ${tagOf(error)}`;
  const posts = ledger.requests.api.filter(({ method, url }) => `${method} ${url}` === route).length;
  return posts === 1 ? lostCandidate(run, error) : `sent ${posts} times`;
};

const tagOf = (error: unknown): string => (isServiceError(error) ? error._tag : typeof error);

const isLeft = (error: unknown): boolean =>
  isServiceError(error) && (error._tag === 'Aborted' || error._tag === 'OutcomeUnknown');

/** A job that was heard of before the error has to be among its candidates. */
const lostCandidate = (
  { ledger, users, platform }: RealRun,
  { candidates }: Extract<ServiceError, { readonly _tag: 'OutcomeUnknown' }>,
): string | undefined => {
  const promptId = ledger.jobs[0]?.promptId;
  const errorAt = users.refusals.get(0)?.at ?? users.watchers[0]?.settledAt() ?? 0;
  const heardAt = promptId === undefined ? undefined : platform.startsHeard.get(promptId);
  return heardAt === undefined || heardAt >= errorAt || candidates.includes(promptId!)
    ? undefined
    : 'no candidate though its start was heard';
};
