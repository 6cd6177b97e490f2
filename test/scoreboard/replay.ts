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
import { nameOf } from './old-numbers.js';
import { replayReal } from './real/replay-real.js';
import { drawForCloud, drawForLocal, drawForV2 } from './random-fault-schedules.js';
import { silentSchedule } from './silent-connections.js';
import { ways } from './event-orders.js';
import { cutSchedule } from './no-duplicate-submissions.js';

/**
 * Plays one run of a figure again and prints what happened: `npm run replay -- random-fault-schedules --seed 7 --faults 3,7
 * --jobs 0`; with `--kinds old` as the seed was drawn when the simulated service did less.
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
  const [word = 'random-fault-schedules'] = positionals;
  const id = nameOf(word);
  const seed = Number(values.seed);
  if (id === 'event-orders') return replayOrder(seed);
  if (id === 'bad-networks' || values.real === true) {
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
      `usage: npm run replay -- ${[...schedules.keys(), 'event-orders', ...oneBySeed].join('|')} --seed N [--dialect local|v2] [--faults 3,7] [--jobs 0,2]`,
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
  [
    'random-fault-schedules',
    (seed, options) => (options?.kinds === 'old' ? drawSchedule(seed) : drawForCloud(seed)),
  ],
  ['random-commands', drawCommands],
  ['no-duplicate-submissions', (seed) => cutSchedule(seed)],
  ['silent-connections', silentSchedule],
]);

const localSchedules: ReadonlyMap<string, (seed: number) => Schedule> = new Map([
  ['random-fault-schedules', drawForLocal],
  ['random-commands', drawLocalCommands],
]);

const v2Schedules: ReadonlyMap<string, Draw> = new Map<string, Draw>([
  ['no-duplicate-submissions', (seed) => cutSchedule(seed, 'v2')],
  ['random-fault-schedules', drawForV2],
  ['random-commands', drawV2Commands],
]);

const schedulesOf: ReadonlyMap<string, ReadonlyMap<string, Draw>> = new Map([
  ['cloud', schedules],
  ['local', localSchedules],
  ['v2', v2Schedules],
]);

/** Figures whose problems say all there is to say of one run. */
const oneBySeed: ReadonlySet<string> = new Set([
  'secret-cases',
  'hostile-sizes',
  'hostile-file-names',
  'spoiled-downloads',
  'no-internal-addresses',
  'command-line',
  'outside-judge',
  'sdk-through-the-gateway',
  'resumed-streams',
  'killed-gateways',
  'secrets-and-walls',
  'generated-engines',
  'generated-clouds',
  'generated-workflows',
  'hostile-graphs',
  'hostile-files',
  'hostile-workflows',
  'validators-agree',
  'workflows-in-code',
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
