import type { Fault } from '../../../src/emulator/index.js';
import type { ServiceError } from '../../../src/protocol/errors/errors.js';
import { isServiceError } from '../../../src/protocol/errors/service-error.js';
import { type Random, randomOf } from '../../simulation/random.js';
import { drawJobs } from './draw-jobs.js';
import type { RealPlan } from './plan.js';
import type { RealRun } from './play-real.js';

/** What has to come of a submission that was cut. */
export type Expected = 'sent again' | 'unknown' | 'left';

interface Cut {
  readonly kind: string;
  readonly expected: Expected;
  readonly faults: (random: Random) => readonly Fault[];
}

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
const http = (deed: object): Fault => ({ on: 'http', route, ...deed }) as Fault;

/** The twelve points, as they are on real sockets. */
export const cuts: readonly Cut[] = [
  { kind: 'submission never leaves', expected: 'sent again', faults: () => [] },
  {
    kind: 'submission meets 429 with a wait',
    expected: 'sent again',
    faults: (random) => [often(random, answer(429, false, 'RATE_LIMITED', '1'))],
  },
  {
    kind: 'submission meets 503 with a wait',
    expected: 'sent again',
    faults: (random) => [often(random, answer(503, false, 'DEPLOYMENT_NOT_READY', '1'))],
  },
  {
    kind: 'submission cut before it was accepted',
    expected: 'unknown',
    faults: (random) => [http({ do: 'cut', phase: 'before', how: how(random) })],
  },
  {
    kind: 'submission cut after it was accepted',
    expected: 'unknown',
    faults: (random) => [{ on: 'rest', route, do: 'commit-then-cut', how: how(random) }],
  },
  {
    kind: 'submission accepted, answer never comes',
    expected: 'unknown',
    faults: (random) => [http({ do: 'stall', phase: random.pick(['afterCommit', 'headers', 'body']) })],
  },
  {
    kind: 'submission accepted, answer drips',
    expected: 'unknown',
    faults: () => [http({ do: 'drip', bytesPerSecond: 4 })],
  },
  {
    kind: 'submission accepted, answer breaks off',
    expected: 'unknown',
    faults: (random) => [http({ do: 'cut', phase: random.pick(['headers', 'body']), how: how(random) })],
  },
  { kind: 'submission accepted, then 500', expected: 'unknown', faults: () => [answer(500, true)] },
  { kind: 'submission meets 502', expected: 'unknown', faults: () => [answer(502, false)] },
  {
    kind: 'submission meets 504 after it was accepted',
    expected: 'unknown',
    faults: () => [answer(504, true)],
  },
  { kind: 'user aborts', expected: 'left', faults: () => [] },
];

/** Here the client waits for as long as it ever does. */
const waits: ReadonlySet<string> = new Set([
  'submission accepted, answer never comes',
  'submission accepted, answer drips',
]);

/** One submission on real sockets, cut at the point of its seed; every tenth seed has one. */
export const drawCut = (seed: number): { readonly plan: RealPlan; readonly expected: Expected } => {
  const random = randomOf(seed, 7);
  const { kind, expected, faults } = cuts[Math.floor(seed / 10) % cuts.length]!;
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
    strikes: [{ index: 0, kind, faults: faults(random) }],
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
    return `not told as unknown: ${tagOf(error)}`;
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
