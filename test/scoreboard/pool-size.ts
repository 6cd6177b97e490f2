import { earliestEnd, type Placement } from '../../src/client/pool/placement.js';
import { enginesPool, type EnginesPool } from './pool/engines-pool.js';
import type { Figure, Range, Tally } from './figure.js';
import { firstValueFrom, lastValueFrom, merge, type Observable } from 'rxjs';
import { workflowOf } from '../pool/engine.js';

const jobsOfAll = 30_000;

/** How work and memory of a pool grow with its engines and with the jobs that wait. */
export const poolSize: Figure = {
  id: 'pool-size',
  what: 'a pool over 300 engines with 30,000 jobs at once, in virtual time; how many servers its placement is asked about for each job that it gives, beside 50 engines and beside 100 waiting jobs; how large what it tells of its servers is meanwhile, and what stays on the heap for a job that waits, with its caller; all jobs run to their end',
  target:
    'a placement among 300 engines ≤ 6 of one among 50, equal with 100 and 30,000 waiting; the size of `pool.servers` does not grow with the waiting jobs; an engine holds ≤ 2 jobs, a job that waits takes ≤ 32 KiB beside its workflow; each job runs once; 0 timers left',
  count: jobsOfAll,
  splits: false,
  run: playSizes,
  shortfalls: ({ counts }, count) => {
    const { large, small } = enginesOf(count);
    const [few, many] = [counts['servers a job of few engines']!, counts['servers a job of many engines']!];
    return [
      ...(many / few <= large / small
        ? []
        : [`a placement among ${large} engines asks about ${many} servers, and ${few} among ${small}`]),
      ...(counts['servers a job of many waiting']! === many ? [] : ['a placement depends on how many wait']),
      ...(counts['bytes told, many waiting']! <= 1.01 * counts['bytes told, few waiting']!
        ? []
        : ['what is told of servers grows with the jobs that wait']),
      ...(counts['most bytes a waiting job']! <= 32_768 ? [] : ['waiting jobs are large']),
      ...(counts['most held by an engine']! <= 2 ? [] : ['engines hold more than they run and one more']),
    ];
  },
};

/** 300 and 50 for the whole; fewer where fewer jobs are played. */
const enginesOf = (jobs: number): { readonly large: number; readonly small: number } => {
  const small = Math.max(2, Math.round(jobs / 600));
  return { small, large: 6 * small };
};

async function playSizes({ count }: Range): Promise<Tally> {
  const { large, small } = enginesOf(count);
  const ofFew = await placementsOf(small, 100);
  const ofMany = await placementsOf(large, 100);
  const manyWaiting = await placementsOf(large, count);
  const whole = await runAll(large, count);
  return {
    counts: {
      ...{ engines: large, jobs: count },
      ...{ 'servers a job of few engines': ofFew.asked, 'servers a job of many engines': ofMany.asked },
      'servers a job of many waiting': manyWaiting.asked,
      ...{ 'bytes told, few waiting': ofMany.told, 'bytes told, many waiting': manyWaiting.told },
      ...whole.counts,
    },
    problems: whole.problems,
  };
}

/** The engines of a pool; the first one is done with each job long before the others are. */
const opened = (engines: number, options: Parameters<typeof enginesPool>[1] = {}): EnginesPool =>
  enginesPool(
    Array.from({ length: engines }, (_, index) => ({ speed: index === 0 ? 1_000 : 1 })),
    options,
  );

const hourMs = 3_600_000;

/** What one of ten placements costs while so many jobs wait and the other engines are busy. */
interface Placements {
  /** The servers that the placement was asked about. */
  readonly asked: number;
  /** The length of what the pool tells of its servers. */
  readonly told: number;
}

const placementsOf = async (engines: number, waiting: number): Promise<Placements> => {
  let asked = 0;
  const placement: Placement = (job, servers) => {
    asked += servers.length;
    return earliestEnd(job, servers);
  };
  const { clock, engines: all, pool } = opened(engines, { placement });
  const running = merge(...jobsOf(pool, engines * 2 + waiting)).subscribe();
  await clock.advance(10_000);
  const given = (): number => all.reduce((sum, one) => sum + one.submissions(), 0);
  const told = JSON.stringify(await firstValueFrom(pool.servers)).length;
  const [givenBefore, askedBefore] = [given(), asked];
  while (given() < givenBefore + 10) await clock.advance(1_000);
  const each = (asked - askedBefore) / (given() - givenBefore);
  running.unsubscribe();
  await pool.close();
  return { asked: Math.round(each), told };
};

const jobsOf = (pool: EnginesPool['pool'], count: number): readonly Observable<unknown>[] =>
  Array.from({ length: count }, (_, index) => pool.run(workflowOf(String(index), { workMs: hourMs })));

/** All at once, until the last one has ended. */
const runAll = async (engines: number, jobs: number): Promise<Tally> => {
  const played = opened(engines);
  const { clock, engines: all, pool } = played;
  const runs = jobsOf(pool, jobs);
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  const ended = lastValueFrom(merge(...runs));
  await clock.advance(1_000);
  globalThis.gc?.();
  const bytes = (process.memoryUsage().heapUsed - before) / jobs;
  await clock.until(ended, 2 * hourMs * jobs);
  await pool.close();
  await clock.advance(600_000);
  const done = all.flatMap((one) => one.runs.filter(({ end }) => end === 'completed').map(({ job }) => job));
  return {
    counts: {
      ...{ ended: done.length, 'most bytes a waiting job': Math.max(0, Math.round(bytes)) },
      'most held by an engine': Math.max(...all.map((one) => one.mostHeld())),
    },
    problems: [
      ...(done.length === jobs && new Set(done).size === jobs ? [] : [`${done.length} runs of ${jobs} jobs`]),
      ...(clock.pending() === 0 ? [] : [`${clock.pending()} timers are left`]),
    ].map((problem) => `${problem}; npm run scoreboard -- pool-size`),
  };
};
