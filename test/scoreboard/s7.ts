import { isServiceError } from '../../src/protocol/errors/service-error.js';
import { judge } from '../simulation/invariants/index.js';
import { drawSchedule } from '../simulation/draw-schedule.js';
import { type MakeClient, play, type Played } from '../simulation/play.js';
import { randomOf } from '../simulation/random.js';
import type { Schedule } from '../simulation/schedule.js';
import { addTallies } from './add-tallies.js';
import { cutPoints, type Expected } from './cut-points.js';
import { everyNth } from './every-nth.js';
import type { Figure, Range, Tally } from './figure.js';
import { watchProcess } from './process-health.js';
import { realCuts } from './real-cuts.js';

/** S7: submissions cut at twelve points, in virtual time, and those of every tenth seed on real sockets as well. */
export const s7: Figure = {
  id: 'S7',
  what: 'submissions cut at 12 points, 1,000 of them on real sockets as well',
  target: '0 duplicates in 10,000; all ambiguous ones OutcomeUnknown, all unsent ones sent again',
  count: 10_000,
  splits: true,
  run: async (range) => addTallies([await cutSubmissions(range), await realCuts(everyNth(range, 10))]),
};

/** Cuts the submissions of a range of seeds, the points in turn. */
export const cutSubmissions = async ({ from, count }: Range, makeClient?: MakeClient): Promise<Tally> => {
  const seenByProcess = watchProcess();
  const counts = {
    submissions: 0,
    accepted: 0,
    duplicates: 0,
    'typed unknown': 0,
    'sent again': 0,
    violations: 0,
  };
  const problems: string[] = [];
  for (let seed = from; seed < from + count; seed += 1) {
    const [kind, expected] = cutPoints[seed % cutPoints.length]!;
    const played = await play(cutSchedule(seed), makeClient);
    const accepted = played.world.ledger.accepted.length;
    const problem = problemOf(played, expected, kind) ?? judge(played).violations[0];
    counts.submissions += 1;
    counts.accepted += accepted;
    if (accepted > 1) counts.duplicates += 1;
    if (expected === 'unknown' && problem === undefined) counts['typed unknown'] += 1;
    if (expected === 'sent again' && problem === undefined) counts['sent again'] += 1;
    if (problem === undefined) continue;
    counts.violations += 1;
    problems.push(`${kind}: ${problem}; npm run replay -- S7 --seed ${seed}`);
  }
  return { counts, problems: [...problems, ...(await seenByProcess())] };
};

/** One job whose submission meets the fault of its seed. */
export const cutSchedule = (seed: number): Schedule => {
  const [kind] = cutPoints[seed % cutPoints.length]!;
  const random = randomOf(seed, 9);
  const drawn = drawSchedule(seed, { maxJobs: 1, maxFaults: 0 });
  return {
    ...drawn,
    jobs: drawn.jobs.map((job) => ({ ...job, via: random.pick(['run', 'submit'] as const) })),
    faults: [
      {
        index: 0,
        kind,
        job: 0,
        moment: kind === 'user aborts' ? 'posting' : 'before',
        afterMs: kind === 'user aborts' ? random.between(0, 60) : 0,
        size: random.next(),
      },
    ],
  };
};

const problemOf = (played: Played, expected: Expected, kind: string): string | undefined => {
  const { observed, world } = played;
  const { accepted, requests, heard } = world.ledger;
  const [watcher] = observed.watchers;
  const error = observed.refusals.get(0)?.error ?? watcher?.error();
  if (accepted.length > 1) return `accepted ${accepted.length} times`;
  const posts = requests.filter(({ route }) => route === 'submit');
  if (expected === 'sent again') {
    if (accepted.length !== 1 || error !== undefined) return 'not sent again to its success';
    return posts.length > 1 ? undefined : 'not cut at all';
  }
  if (expected === 'left') {
    if (error === undefined) return undefined;
    return isServiceError(error) && ['Aborted', 'OutcomeUnknown'].includes(error._tag)
      ? undefined
      : 'wrongly typed';
  }
  if (!isServiceError(error) || error._tag !== 'OutcomeUnknown')
    return `not told as unknown: ${String(error)}`;
  if (posts.length !== 1) return `sent ${posts.length} times`;
  const promptId = accepted[0]?.promptId;
  const errorAt = observed.refusals.get(0)?.at ?? watcher?.settledAt() ?? 0;
  const wasHeard = promptId !== undefined && (heard.get(promptId) ?? Infinity) < errorAt;
  return wasHeard && !error.candidates.includes(promptId) ? `no candidate after ${kind}` : undefined;
};
