import { setTimeout as delay } from 'node:timers/promises';
import { median } from './median.js';
import { turnOrder } from './turn-order.js';

/** A client that runs one job after the other; a job that hangs is left behind with its client. */
export interface Runner {
  readonly run: () => Promise<unknown>;
  readonly close: () => void | Promise<void>;
}

/** How the jobs of one way went. */
export interface JobTimes {
  /** Median seconds of the jobs that ended. */
  readonly seconds: number;
  readonly tried: number;
  /** How many had no end in time, or a wrong one. */
  readonly hung: number;
  readonly failed: number;
  /** Median over the rounds of `first`'s time, divided by that of this way in the same round. */
  readonly ratioOf: (first: JobTimes) => number;
  readonly rounds: readonly (number | undefined)[];
}

/** A job may take this long before it counts as hung. */
export const patienceMs = 2000;
/** After so many that hung or failed a way is not tried any more. */
const chances = 5;

/** Runs one job of each way in turns, each round in another order. */
export const jobsInTurns = async <Name extends string>(
  ways: Readonly<Record<Name, () => Promise<Runner>>>,
  rounds: number,
): Promise<Readonly<Record<Name, JobTimes>>> => {
  const names = Object.keys(ways) as Name[];
  const lanes = new Map<Name, Lane>();
  for (const name of names) lanes.set(name, await startLane(ways[name]));
  for (let round = 0; round < rounds; round += 1) {
    for (const name of turnOrder(names, round)) await lanes.get(name)?.turn();
  }
  const times = names.map((name): [Name, JobTimes] => [name, lanes.get(name)!.times()]);
  for (const lane of lanes.values()) await lane.end();
  return Object.fromEntries(times) as Readonly<Record<Name, JobTimes>>;
};

interface Lane {
  readonly turn: () => Promise<void>;
  readonly times: () => JobTimes;
  readonly end: () => Promise<void>;
}

const startLane = async (start: () => Promise<Runner>): Promise<Lane> => {
  let runner = await start();
  const rounds: (number | undefined)[] = [];
  let hung = 0;
  let failed = 0;
  const turn = async (): Promise<void> => {
    if (hung + failed >= chances) return;
    const started = performance.now();
    const ending = new AbortController();
    const end = await Promise.race([
      runner.run().then(
        () => 'ended' as const,
        () => 'failed' as const,
      ),
      delay(patienceMs, 'hung' as const, { signal: ending.signal }).catch(() => 'hung' as const),
    ]);
    ending.abort();
    rounds.push(end === 'ended' ? (performance.now() - started) / 1000 : undefined);
    if (end === 'ended') return;
    if (end === 'hung') hung += 1;
    else failed += 1;
    await runner.close();
    runner = await start();
  };
  const times = (): JobTimes => ({
    seconds: median(rounds.filter((time) => time !== undefined)),
    tried: rounds.length,
    hung,
    failed,
    rounds,
    ratioOf: (first) =>
      median(
        rounds.flatMap((time, round) => {
          const other = first.rounds[round];
          return time === undefined || other === undefined ? [] : [other / time];
        }),
      ),
  });
  return { turn, times, end: async () => runner.close() };
};
