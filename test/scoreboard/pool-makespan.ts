import { lastValueFrom, merge, mergeMap, timer } from 'rxjs';
import type { Figure, Range, Tally } from './figure.js';
import { enginesPool } from './pool/engines-pool.js';
import { type Random, randomOf } from '../simulation/random.js';
import { workflowOf } from '../pool/engine.js';

const seeds = 500;
const loadMs = 8_000;
const speeds = [0.5, 1, 2];
const families = [
  { model: 'a.safetensors', workMs: 3_000, steps: 20 },
  { model: 'b.safetensors', workMs: 8_000, steps: 30 },
  { model: 'c.safetensors', workMs: 15_000, steps: 50 },
] as const;

/** How long mixed work takes on many engines, beside what is possible and beside what others do. */
export const poolMakespan: Figure = {
  id: 'pool-makespan',
  what: `jobs of three families of models (3, 8 and 15 s of work, ${loadMs / 1_000} s to load) on 2 to 64 engines of three speeds, 20 jobs an engine that come at random, in virtual time; beside a lower bound and an offline schedule of the judge, "fewest waiting" and "round robin"`,
  target:
    'median ≤ 1.15 of the lower bound (work and loads), in ≥ 95 % of seeds no worse than the others, and loads ≤ 1.2 of those of the offline schedule',
  count: seeds,
  splits: true,
  run: playMakespans,
  shortfalls: ({ counts }, count) => [
    ...(counts['within 115 % of the bound']! >= count / 2 ? [] : ['the jobs take too long']),
    ...(counts['no worse']! >= 0.95 * count ? [] : ['another way is better too often']),
    ...(counts['loads']! <= 1.2 * counts['loads offline']! ? [] : ['models are loaded too often']),
  ],
};

/** Plays each seed, and schedules it in two other ways. */
async function playMakespans({ from, count }: Range): Promise<Tally> {
  const counts = {
    'within 115 % of the bound': 0,
    'no worse': 0,
    loads: 0,
    'loads offline': 0,
    'loads of fewest waiting': 0,
  };
  const shares: number[] = [];
  const problems: string[] = [];
  for (let seed = from; seed < from + count; seed += 1) {
    const work = drawWork(randomOf(seed, 41));
    const own = await play(work);
    const others = [fewestWaiting(work), roundRobin(work)];
    const bound = lowerBound(work);
    shares.push(own.endMs / bound);
    if (own.endMs <= 1.15 * bound) counts['within 115 % of the bound'] += 1;
    if (own.endMs < bound) problems.push(`seed ${seed}: quicker than the bound`);
    if (own.runs !== work.jobs.length)
      problems.push(`seed ${seed}: ${own.runs} runs of ${work.jobs.length} jobs`);
    if (others.every(({ endMs }) => own.endMs <= endMs)) counts['no worse'] += 1;
    counts.loads += own.loads;
    counts['loads offline'] += loadsOffline(work);
    counts['loads of fewest waiting'] += others[0]!.loads;
  }
  return {
    counts: {
      ...counts,
      '% of the bound, sum': Math.round(100 * shares.reduce((all, share) => all + share, 0)),
    },
    problems: problems.map((problem) => `${problem}; npm run scoreboard -- pool-makespan`),
  };
}

interface PlannedWork {
  readonly speeds: readonly number[];
  readonly jobs: readonly { readonly atMs: number; readonly family: (typeof families)[number] }[];
}

const drawWork = (random: Random): PlannedWork => {
  const engines = random.chance(0.95) ? random.between(2, 16) : random.between(17, 64);
  let atMs = 0;
  return {
    speeds: Array.from({ length: engines }, (_, index) => speeds[index % speeds.length]!),
    jobs: Array.from({ length: 20 * engines }, () => {
      atMs += -Math.log(1 - random.next()) * (4_000 / engines);
      return { atMs, family: random.pick(families) };
    }),
  };
};

interface Schedule {
  readonly endMs: number;
  readonly loads: number;
}

const play = async ({ speeds: all, jobs }: PlannedWork): Promise<Schedule & { readonly runs: number }> => {
  const { clock, engines, pool } = enginesPool(all.map((speed) => ({ speed, loadMs })));
  const runs = jobs.map(({ atMs, family }, index) =>
    timer(atMs, clock.scheduler).pipe(mergeMap(() => pool.run(workflowOf(String(index), family)))),
  );
  await clock.until(lastValueFrom(merge(...runs)), 20_000_000);
  const ledger = engines.flatMap((one) => one.runs);
  return {
    endMs: Math.max(...ledger.map(({ to = 0 }) => to)),
    loads: engines.reduce((sum, one) => sum + one.loads(), 0),
    runs: ledger.length,
  };
};

/** What published pools do: each job is submitted as it comes, and waits on its engine. */
const scheduleBy = (
  { speeds: all, jobs }: PlannedWork,
  choose: (waiting: readonly number[], index: number) => number,
): Schedule => {
  const engines = all.map(() => ({ ends: [] as number[], model: '' }));
  let loads = 0;
  jobs.forEach(({ atMs, family }, index) => {
    const waiting = engines.map(({ ends }) => ends.filter((end) => end > atMs).length);
    const chosen = choose(waiting, index);
    const one = engines[chosen]!;
    const load = one.model === family.model ? 0 : loadMs;
    if (load > 0) loads += 1;
    one.model = family.model;
    one.ends.push(Math.max(atMs, one.ends.at(-1) ?? 0) + load + family.workMs / all[chosen]!);
  });
  return { endMs: Math.max(...engines.flatMap(({ ends }) => ends)), loads };
};

/** The engine with the fewest jobs, whatever is loaded. */
const fewestWaiting = (work: PlannedWork): Schedule =>
  scheduleBy(work, (waiting) => waiting.indexOf(Math.min(...waiting)));

const roundRobin = (work: PlannedWork): Schedule =>
  scheduleBy(work, (waiting, index) => index % waiting.length);

/**
 * No schedule ends sooner: all engines together can't do the work that comes after any moment faster, the engine that begins as the nth works
 * only once the nth job has come and one model is loaded, and the last job of each size needs its time on the quickest engine.
 */
const lowerBound = ({ speeds: all, jobs }: PlannedWork): number => {
  const speed = all.reduce((sum, one) => sum + one, 0);
  const quickest = Math.max(...all);
  let [after, bound] = [0, 0];
  for (const { atMs, family } of jobs.toReversed()) {
    after += family.workMs;
    bound = Math.max(bound, atMs + after / speed, atMs + family.workMs / quickest);
  }
  const lostWork = all
    .toSorted((one, other) => other - one)
    .reduce((sum, one, nth) => sum + one * (jobs[nth]!.atMs + loadMs), 0);
  return Math.max(bound, (lostWork + after) / speed);
};

/** Of a schedule that knows all jobs: the families one after the other over the engines, so that only one engine a border loads twice. */
const loadsOffline = ({ speeds: all }: PlannedWork): number => all.length + families.length - 1;
