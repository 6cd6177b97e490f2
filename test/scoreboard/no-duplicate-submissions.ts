import { isServiceError } from '../../src/core/errors/service-error.js';
import { judge } from '../simulation/invariants/index.js';
import { drawSchedule } from '../simulation/draw-schedule.js';
import type { FaultKind } from '../simulation/faults/index.js';
import { type MakeClient, play, type Played } from '../simulation/play.js';
import { randomOf } from '../simulation/random.js';
import type { Schedule } from '../simulation/schedule.js';
import { v2Of } from '../simulation/v2/draw-v2.js';
import { addTallies } from './add-tallies.js';
import { type Expected, v2CutPoints, virtualCutPoints } from './cut-points.js';
import { everyNth } from './every-nth.js';
import type { Figure, Range, Tally } from './figure.js';
import { watchProcess } from './process-health.js';
import { realCuts } from './real-cuts.js';

/** Submissions cut at fourteen points, in virtual time, and those of every tenth seed on real sockets as well. */
export const noDuplicateSubmissions: Figure = {
  id: 'no-duplicate-submissions',
  what: 'submissions cut at 14 points, the client’s close and drain among them, and 5,000 at 18 points of API v2; 1,000 at 12 points on real sockets',
  target:
    '0 duplicates in 10,000; all ambiguous ones OutcomeUnknown, those of a closed client listed in recent; all unsent ones sent again; drain takes none and waits for all',
  count: 10_000,
  splits: true,
  run: async (range) =>
    addTallies([
      await cutSubmissions(range),
      await cutSubmissions(range, { dialect: 'v2' }),
      await realCuts(everyNth(range, 10)),
    ]),
};

/** Options of {@link cutSubmissions}. */
export interface CutOptions {
  readonly makeClient?: MakeClient | undefined;
  /** Default `cloud`. */
  readonly dialect?: CutDialect;
}

type CutDialect = 'cloud' | 'v2';

/** Cuts the submissions of a range of seeds, the points in turn; of API v2 every other seed. */
export const cutSubmissions = async (
  range: Range,
  { makeClient, dialect = 'cloud' }: CutOptions = {},
): Promise<Tally> => {
  const seenByProcess = watchProcess();
  const counts = {
    submissions: 0,
    accepted: 0,
    duplicates: 0,
    'typed unknown': 0,
    'sent again': 0,
    'under way at the close': 0,
    'waited for by drain': 0,
    violations: 0,
  };
  const problems: string[] = [];
  for (const seed of everyNth(range, dialect === 'v2' ? 2 : 1)) {
    const [kind, expected] = cutPointOf(seed, dialect);
    const played = await play(cutSchedule(seed, dialect), makeClient);
    const accepted = played.backend.ledger.accepted.length;
    const problem = problemOf(played, expected, kind) ?? judge(played).violations[0];
    counts.submissions += 1;
    counts.accepted += accepted;
    if (accepted > 1) counts.duplicates += 1;
    if (expected === 'unknown' && problem === undefined) counts['typed unknown'] += 1;
    if (expected === 'sent again' && problem === undefined) counts['sent again'] += 1;
    if (isUnderWay(played)) counts['under way at the close'] += 1;
    if (expected === 'drained' && problem === undefined) counts['waited for by drain'] += 1;
    if (problem === undefined) continue;
    counts.violations += 1;
    problems.push(
      `${kind}: ${problem}; npm run replay -- no-duplicate-submissions --seed ${seed}${dialect === 'v2' ? ' --dialect v2' : ''}`,
    );
  }
  return { counts, problems: [...problems, ...(await seenByProcess())] };
};

const cutPointOf = (seed: number, dialect: CutDialect): readonly [FaultKind, Expected] =>
  dialect === 'v2'
    ? v2CutPoints[Math.floor(seed / 2) % v2CutPoints.length]!
    : virtualCutPoints[seed % virtualCutPoints.length]!;

/** One job whose submission meets the fault of its seed. */
export const cutSchedule = (seed: number, dialect: CutDialect = 'cloud'): Schedule => {
  const [kind] = cutPointOf(seed, dialect);
  const random = randomOf(seed, 9);
  const plain = drawSchedule(seed, { maxJobs: 1, maxFaults: 0 });
  const drawn = dialect === 'v2' ? v2Of(plain) : plain;
  return {
    ...drawn,
    jobs: drawn.jobs.map((job) => ({ ...job, via: random.pick(['run', 'submit'] as const) })),
    faults: [
      {
        index: 0,
        kind,
        job: 0,
        moment: isByUser(kind) ? 'posting' : 'before',
        afterMs: isByUser(kind) ? random.between(0, 60) : 0,
        size: random.next(),
      },
    ],
  };
};

const isByUser = (kind: string): boolean =>
  ['user aborts', 'client is closed', 'client is drained'].includes(kind);

/** Whether the client was closed while a submission had left and had no answer. */
const isUnderWay = ({ disposedAt, backend }: Played): boolean =>
  disposedAt !== undefined &&
  backend.ledger.requests.some(
    ({ route, fate, status }) => route === 'submit' && fate !== 'unsent' && status === undefined,
  );

const problemOf = (played: Played, expected: Expected, kind: string): string | undefined => {
  const { observed, backend } = played;
  const { accepted, requests, lastFrameAt: heard } = backend.ledger;
  const [watcher] = observed.watchers;
  const error = observed.refusals.get(0)?.error ?? watcher?.error();
  if (accepted.length > 1) return `accepted ${accepted.length} times`;
  const posts = requests.filter(({ route }) => route === 'submit');
  if (expected === 'sent again') {
    if (accepted.length !== 1 || error !== undefined) return 'not sent again to its success';
    return posts.length > 1 ? undefined : 'not cut at all';
  }
  const tag = isServiceError(error) ? error._tag : undefined;
  if (expected === 'drained')
    return error === undefined ? drainProblem(played) : `not waited for, but reported as ${String(tag)}`;
  const isListed = played.recent.some((one) => one.error?._tag === 'OutcomeUnknown');
  if (tag === 'OutcomeUnknown' && !isListed) return 'is unknown, and not listed in recent';
  if (expected === 'closed') {
    if (isUnderWay(played))
      return tag === 'OutcomeUnknown' ? undefined : `closed under way, reported as ${String(tag)}`;
    return error === undefined || tag === 'Closed' || tag === 'OutcomeUnknown' ? undefined : 'wrongly typed';
  }
  if (expected === 'left')
    return error === undefined || tag === 'Aborted' || tag === 'OutcomeUnknown' ? undefined : 'wrongly typed';
  if (!isServiceError(error) || error._tag !== 'OutcomeUnknown')
    return `not reported as unknown: ${String(error)}`;
  if (posts.length !== 1) return `sent ${posts.length} times`;
  const promptId = accepted[0]?.promptId;
  const errorAt = observed.refusals.get(0)?.at ?? watcher?.settledAt() ?? 0;
  const wasHeard = promptId !== undefined && (heard.get(promptId) ?? Infinity) < errorAt;
  return (wasHeard || isListedAt(played, errorAt)) && !error.candidates.includes(promptId ?? '')
    ? `no candidate after ${kind}`
    : undefined;
};

/** Whether the queue of v1 stands beside API v2 and lists the job when the client gives up. */
const isListedAt = ({ backend }: Played, at: number): boolean => {
  const [job] = backend.jobsOfPlan(0);
  return backend.v2?.hasQueue === true && job !== undefined && (job.endedAt ?? Infinity) > at;
};

/** A drain takes no submission, and waits for the job that there is. */
const drainProblem = ({ observed, backend }: Played): string | undefined => {
  const [drain] = observed.drains;
  if (drain === undefined) return 'not drained at all';
  if (!isServiceError(drain.refusal) || drain.refusal._tag !== 'Draining') return 'took a submission';
  const endedAt = backend.jobsOfPlan(0)[0]?.endedAt ?? Infinity;
  if (drain.resolvedAt === undefined) return 'drain never resolved';
  return drain.resolvedAt >= endedAt ? undefined : 'drain resolved before the job was over';
};
