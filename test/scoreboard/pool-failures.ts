import { catchError, lastValueFrom, map, merge, mergeMap, of, timer, toArray } from 'rxjs';
import type { Engine } from '../pool/engine.js';
import { enginesPool, type EnginesPool } from './pool/engines-pool.js';
import type { Figure, Range, Tally } from './figure.js';
import { randomOf, type Random } from '../simulation/random.js';
import type { PoolRules } from '../../src/client/pool/pool-types.js';
import { workflowOf } from '../pool/engine.js';

const seeds = 1_000;
const giveUpAfterMs = 120_000;

/** Engines that fail in every way, by their own ledgers. */
export const poolFailures: Figure = {
  id: 'pool-failures',
  what: `30 jobs on 2 to 6 engines of which each is killed, restarted without its jobs, frozen, thawed, paused and resumed at random, one has fewer models; in virtual time, half of the seeds with giveUpAfterMs of ${giveUpAfterMs / 1_000} s`,
  target:
    'each job ends once as completed; a job runs again only where its engine was killed, or was away for longer than giveUpAfterMs (asked at least every 30 s); 0 on an engine that lacks its model; 0 timers left',
  count: seeds,
  splits: true,
  run: playFailures,
};

async function playFailures({ from, count }: Range): Promise<Tally> {
  const counts = { jobs: 0, reruns: 0, 'copies that ended after all': 0 };
  const problems: string[] = [];
  for (let seed = from; seed < from + count; seed += 1) {
    const played = await playOne(randomOf(seed, 42)).catch((error: unknown) => ({
      ...{ jobs: 0, reruns: 0, doubles: 0 },
      problems: [String(error)],
    }));
    counts.jobs += played.jobs;
    counts.reruns += played.reruns;
    counts['copies that ended after all'] += played.doubles;
    problems.push(...played.problems.map((problem) => `seed ${seed}: ${problem}`));
  }
  return { counts, problems: problems.map((problem) => `${problem}; npm run scoreboard -- pool-failures`) };
}

const models = ['a.safetensors', 'b.safetensors'];

const playOne = async (
  random: Random,
): Promise<{ jobs: number; reruns: number; doubles: number; problems: readonly string[] }> => {
  const rules: PoolRules = random.chance(0.5) ? { giveUpAfterMs } : {};
  const played = enginesPool(
    Array.from({ length: random.between(2, 6) }, (_, index) => ({
      speed: random.pick([0.5, 1, 2]),
      loadMs: 3_000,
      models: index === 0 ? models.slice(0, 1) : models,
    })),
    { rules },
  );
  const { clock, engines, pool } = played;
  const jobs = Array.from({ length: 30 }, (_, index) => ({
    name: `job ${index}`,
    atMs: random.below(120_000),
    model: random.pick(models),
  }));
  const ends = merge(
    ...jobs.map(({ name, atMs, model }) =>
      timer(atMs, clock.scheduler).pipe(
        mergeMap(() =>
          lastValueFrom(pool.run(workflowOf(name, { model, workMs: 1_000 + random.below(9_000) }))),
        ),
        map(({ phase }) => ({ name, phase: phase })),
        catchError((error: unknown) => of({ name, phase: String(error) })),
      ),
    ),
  ).pipe(toArray());
  const stop = plan(random, played);
  const ended = await clock.until(lastValueFrom(ends), 4 * 3_600_000);
  stop();
  await pool.close();
  await clock.advance(600_000);
  return {
    ...judge(engines, ended, rules),
    problems: [
      ...judge(engines, ended, rules).problems,
      ...(clock.pending() === 0 ? [] : [`${clock.pending()} timers are left`]),
    ],
    jobs: jobs.length,
  };
};

/** What happens to the engines: each trouble ends after a while, and all are well at last. */
const plan = (random: Random, { clock, engines, pool }: EnginesPool): (() => void) => {
  const timers: (() => void)[] = [];
  const troubles = random.between(1, 8);
  engines.forEach((one, index) => {
    let atMs = 0;
    for (let trouble = 0; trouble < troubles; trouble += 1) {
      atMs += 1_000 + random.below(60_000);
      const lastsMs = 1_000 + random.below(300_000);
      const [begin, end] = random.pick<readonly [() => void, () => void]>([
        [one.kill, one.start],
        [one.freeze, one.thaw],
        [() => pool.pauseServer(`engine-${index}`), () => pool.resumeServer(`engine-${index}`)],
      ]);
      timers.push(clock.after(atMs, begin), clock.after(atMs + lastsMs, end));
      atMs += lastsMs;
    }
  });
  return () => {
    for (const cancel of timers) cancel();
  };
};

/** A pool looks whether a server is back every 30 s at least: two outages with less between them are one to it. */
const seenOutages = ({ outages }: Engine): Engine['outages'] =>
  outages.reduce<Engine['outages']>((seen, outage) => {
    const last = seen.at(-1);
    return last?.to !== undefined && !last.isKill && !outage.isKill && outage.from - last.to < 30_000
      ? [...seen.slice(0, -1), { ...outage, from: last.from }]
      : [...seen, outage];
  }, []);

/** By the ledgers of the engines alone. */
const judge = (
  engines: readonly Engine[],
  ended: readonly { readonly name: string; readonly phase: string }[],
  { giveUpAfterMs: patience = Infinity }: PoolRules,
): { reruns: number; doubles: number; problems: readonly string[] } => {
  const runs = engines.flatMap((one) => one.runs);
  const problems: string[] = [];
  let [reruns, doubles] = [0, 0];
  for (const { name, phase } of ended) {
    const completed = runs.filter(({ job, end }) => job === name && end === 'completed');

    doubles += completed.length - 1;
    if (phase !== 'completed' || completed.length === 0) problems.push(`${name} ended as ${phase}`);
    const copies = engines
      .flatMap((one) => one.accepted.filter(({ job }) => job === name).map(({ at }) => ({ one, at })))
      .toSorted((first, second) => first.at - second.at);
    reruns += copies.length - 1;
    const unexplained = copies.slice(0, -1).filter(({ one, at }, nth) => {
      const againAt = copies[nth + 1]!.at;
      return !seenOutages(one).some(
        ({ from, to = Infinity, isKill }) =>
          (isKill && from >= at && from <= againAt) || Math.min(to, againAt) - Math.max(from, at) >= patience,
      );
    });
    if (unexplained.length > 0) problems.push(`${name} was submitted again for no reason`);
  }
  return { reruns, doubles, problems };
};
