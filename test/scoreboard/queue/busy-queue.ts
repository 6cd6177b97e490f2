import { mkdtemp, rm } from 'node:fs/promises';
import type { EmulatorOptions } from '../../../src/emulator.js';
import { judgeQueue } from './judge-queue.js';
import { isRefused, openWorld, type QueueWorld } from './queue-world.js';
import { openSpares, type SpareProcesses } from './queue-process.js';
import { join } from 'node:path';
import type { QueueProcessPlan } from './kill-points.js';
import type { Random } from '../../simulation/random.js';
import { shortSound } from './short-sound.js';
import { tmpdir } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';

/** What a queue came to after something happened to its processes. */
export interface SettledQueue {
  readonly jobs: number;
  readonly unknown: number;
  readonly problems: readonly string[];
}

/** What happens to the processes of a queue that always has jobs; gives what went wrong. */
export type QueueTrouble = (
  world: QueueWorld,
  /** The plan of one more process. */
  plan: () => QueueProcessPlan,
  spares: SpareProcesses,
) => Promise<readonly string[]>;

const slots = 6;
/** So many processes work at any time. */
export const processes = 3;
/** A request of a dead process may wait that long for a service that shares two processors with all the others. */
const rules = { deadlineMs: 3_000, lagMs: 100, lookEveryMs: 200 };
/** So many jobs wait at any time. */
const waiting = 12;

/** The service of a busy queue. */
export type QueueService = Pick<EmulatorOptions, 'engine'> & {
  readonly dialect: 'cloud' | 'local' | 'v2';
  /** Whether its workers bring servers; else it is an account. */
  readonly over?: 'servers';
};

/** A service of each dialect, and three servers. */
export const queueServices: readonly QueueService[] = [
  { dialect: 'local' },
  { dialect: 'v2' },
  { dialect: 'cloud' },
  { dialect: 'local', over: 'servers' },
];

/** What a service is called in problems. */
export const serviceName = ({ dialect, over }: QueueService): string =>
  over === undefined ? dialect : `${dialect} over ${over}`;

/** The plans of one process after the other: each brings another two of three servers, so that any two that follow each other bring all. */
const plansOf = (plan: QueueProcessPlan): (() => QueueProcessPlan) => {
  let nth = -1;
  return () => {
    nth += 1;
    const { servers } = plan;
    return servers === undefined
      ? plan
      : { ...plan, servers: servers.filter((_, index) => index !== nth % servers.length) };
  };
};

/** Opens a queue with jobs and a sink, has trouble made of it, and lets two workers do the rest. */
export const playBusyQueue = async (
  { dialect, engine, over }: QueueService,
  random: Random,
  makeTrouble: QueueTrouble,
): Promise<SettledQueue> => {
  const folder = await mkdtemp(join(tmpdir(), 'promptwire-busy-'));
  const switches = { v1Routes: true };
  const ofEngine = engine === undefined ? {} : { engine };
  const service = { dialect, ...ofEngine, speed: 20, concurrency: slots, switches };
  await using world = await openWorld(slots, service, shortSound, over);
  await using spares = openSpares(processes);
  const plans = plansOf({ ...world.plan, lockMs: 500, rules, folder });

  let isOver = false;
  const feed = async (): Promise<void> => {
    while (!isOver) {
      const { waiting: now } = await world.queue.stats();
      for (let missing = waiting - now; missing > 0; missing -= 1) {
        const isAdded = await world.add(random.between(1, 12)).catch((error: unknown) => {
          if (isRefused(error)) return undefined;
          throw error;
        });
        if (isAdded === undefined) break;
      }
      await wait(20);
    }
  };
  const feeding = feed();
  const problems = [...(await makeTrouble(world, plans, spares))];
  isOver = true;
  await feeding;

  const last = await Promise.all([plans(), plans()].map((own) => spares.start(own)));
  if (!(await world.settled(60_000)))
    problems.push(`not settled: ${JSON.stringify(await world.queue.stats())}`);
  problems.push(...(await judgeQueue(world, folder)));
  for (const running of last) running.kill('SIGTERM');
  for (const { end, said } of await Promise.all(last.map(({ ended }) => ended)))
    if (end !== 0) problems.push(`a worker ended with ${end}: ${said.slice(0, 300)}`);
  const jobs = await world.list();
  await rm(folder, { recursive: true, force: true });
  return {
    jobs: jobs.length,
    unknown: jobs.filter(({ phase }) => phase === 'unknown').length,
    problems: problems.map((problem) => `${serviceName({ dialect, over })}: ${problem}`),
  };
};
