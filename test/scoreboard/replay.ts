import { parseArgs } from 'node:util';
import { phasesOf } from '../helpers/phases-of.js';
import { drawCommands, type DrawOptions, drawSchedule } from '../simulation/draw-schedule.js';
import { interleavings } from '../simulation/interleavings.js';

import { judge } from '../simulation/invariants/index.js';
import { drawLocalCommands } from '../simulation/local/draw-local.js';
import { play } from '../simulation/play.js';
import { drawV2Commands } from '../simulation/v2/draw-v2.js';
import { playOrder } from '../simulation/play-order.js';
import type { Schedule } from '../simulation/schedule.js';
import { figures } from './board.js';
import { replayReal } from './real/replay-real.js';
import { drawForCloud, drawForLocal, drawForV2 } from './s1.js';
import { silentSchedule } from './s10.js';
import { ways } from './s3.js';
import { cutSchedule } from './s7.js';

/**
 * Plays one run of a figure again and prints what happened: `npm run replay -- S1 --seed 7 --faults 3,7 --jobs 0`; with
 * `--kinds old` as the seed was drawn when the simulated service did less.
 */
const main = async (): Promise<void> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      seed: { type: 'string' },
      dialect: { type: 'string' },
      kinds: { type: 'string' },
      faults: { type: 'string' },
      jobs: { type: 'string' },
      acts: { type: 'string' },
      real: { type: 'boolean' },
    },
  });
  const [id = 'S1'] = positionals;
  const seed = Number(values.seed);
  if (id === 'S3') return replayOrder(seed);
  if (id === 'S11' || values.real === true) {
    print(await replayReal(id, seed, values.faults));
    return;
  }
  const figure = figures.find((one) => one.id === id && oneBySeed.has(id));
  if (figure !== undefined && !Number.isNaN(seed)) {
    const { counts, problems } = await figure.run({ from: seed, count: 1 });
    console.log(counts);
    print(problems);
    return;
  }
  const draw = (schedulesOf.get(values.dialect ?? 'cloud') ?? schedules).get(id);
  if (draw === undefined || Number.isNaN(seed)) {
    console.error(
      `usage: npm run replay -- ${[...schedules.keys(), 'S3', ...oneBySeed].join('|')} --seed N [--dialect local|v2] [--faults 3,7] [--jobs 0,2]`,
    );
    process.exitCode = 2;
    return;
  }
  const drawn = draw(seed, { kinds: values.kinds === 'old' ? 'old' : 'all' });
  const schedule: Schedule = {
    ...drawn,
    jobs: only(drawn.jobs, values.jobs),
    faults: only(drawn.faults, values.faults),
    ...(drawn.acts === undefined ? {} : { acts: only(drawn.acts, values.acts) }),
  };
  const played = await play(schedule);
  console.log(JSON.stringify(schedule, undefined, 2));
  for (const { at, route, promptId, correlation, fate, status, settledAt } of played.backend.ledger.requests)
    console.log(
      `${ms(at)} ${route} ${promptId ?? correlation ?? ''}: ${fate}, ${status ?? 'no answer'} at ${ms(settledAt)}`,
    );
  for (const { at, state } of played.connection) console.log(`${ms(at)} connection ${JSON.stringify(state)}`);
  for (const { name, job, states, since, settledAt, leftAt, error } of played.observed.watchers)
    console.log(
      `job ${job} (${name}) ${ms(since)}–${ms(settledAt() ?? leftAt())}: ${phasesOf(states).join(' → ')} ${error() instanceof Error ? String(error()) : ''}`,
    );
  print(judge(played, { strictly: true }).violations);
};

type Draw = (seed: number, options?: Pick<DrawOptions, 'kinds'>) => Schedule;

const schedules: ReadonlyMap<string, Draw> = new Map<string, Draw>([
  ['S1', (seed, options) => (options?.kinds === 'old' ? drawSchedule(seed) : drawForCloud(seed))],
  ['S4', drawCommands],
  ['S7', (seed) => cutSchedule(seed)],
  ['S10', silentSchedule],
]);

const localSchedules: ReadonlyMap<string, (seed: number) => Schedule> = new Map([
  ['S1', drawForLocal],
  ['S4', drawLocalCommands],
]);

const v2Schedules: ReadonlyMap<string, Draw> = new Map<string, Draw>([
  ['S7', (seed) => cutSchedule(seed, 'v2')],
  ['S1', drawForV2],
  ['S4', drawV2Commands],
]);

const schedulesOf: ReadonlyMap<string, ReadonlyMap<string, Draw>> = new Map([
  ['cloud', schedules],
  ['local', localSchedules],
  ['v2', v2Schedules],
]);

/** Figures whose problems say all there is to say of one run. */
const oneBySeed: ReadonlySet<string> = new Set([
  'S8 cases',
  'S14',
  'S16',
  'S17',
  'S18',
  'S21',
  'S27',
  'G1',
  'G2',
  'G5',
  'G7',
  'W1',
  'W2',
  'W3',
  'W4',
  'W5',
  'W8',
]);

const replayOrder = async (number: number): Promise<void> => {
  const order = [...interleavings()][number - 1];
  if (order === undefined) return;
  console.log(order.join(' → '));
  for (const [dialect, via] of ways) print((await playOrder(order, via, { dialect })).violations);
};

const only = <A extends { readonly index: number }>(
  items: readonly A[],
  list: string | undefined,
): readonly A[] => {
  if (list === undefined) return items;
  const chosen = new Set(list.split(','));
  return items.filter(({ index }) => chosen.has(String(index)));
};

const ms = (time: number | undefined): string => (time === undefined ? 'never' : `${Math.round(time)} ms`);

const print = (violations: readonly string[]): void => {
  console.log(violations.length === 0 ? 'no violation' : violations.join('\n'));
  if (violations.length > 0) process.exitCode = 1;
};

await main();
