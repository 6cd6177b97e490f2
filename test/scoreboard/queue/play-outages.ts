import {
  type QueueTrouble,
  playBusyQueue,
  processes,
  type QueueService,
  type SettledQueue,
} from './busy-queue.js';
import { openSlowProxy, type SlowProxy } from './slow-proxy.js';
import type { QueueProcess } from './queue-process.js';
import type { QueueWorld } from './queue-world.js';
import type { Random } from '../../simulation/random.js';
import { setTimeout as wait } from 'node:timers/promises';

/** What happens to the store of a queue. */
export const outages = ['restarted', 'away', 'without scripts', 'slow', 'too slow'] as const;

/** One of {@link outages}; `minute` is being away for 60 s. */
export type Outage = (typeof outages)[number] | 'minute';

interface Scene {
  readonly world: QueueWorld;
  readonly proxy: SlowProxy;
  readonly random: Random;
  /** Kills one of the workers, and starts another one. */
  readonly killOne: () => Promise<void>;
}

/** Longer than the locks of the workers, and than their patience with a submission. */
const awayMs = 4_000;

const away = async ({ world: { server }, killOne }: Scene, ms: number): Promise<void> => {
  await server.kill();
  // Its jobs have no worker when the server is back.
  await killOne();
  await wait(ms);
  await server.start();
};

const slow = async ({ proxy }: Scene, delayMs: number): Promise<void> => {
  proxy.delayBy(delayMs);
  await wait(awayMs);
  proxy.delayBy(0);
};

const make: Readonly<Record<Outage, (scene: Scene) => Promise<void>>> = {
  restarted: async ({ world: { server } }) => {
    await server.kill();
    await server.start();
  },
  away: (scene) => away(scene, awayMs),
  minute: (scene) => away(scene, 60_000),
  'without scripts': async ({ world: { server }, random }) => {
    const redis = server.connect();
    for (let times = 0; times < 20; times += 1) {
      await redis.script('FLUSH');
      await wait(random.below(50));
    }
    redis.disconnect();
  },
  slow: (scene) => slow(scene, 40),
  // A lock is over before the server can hear that it is to be renewed.
  'too slow': (scene) => slow(scene, 600),
};

/** So many jobs begin between two outages, and after the last one. */
const jobsBetween = 12;
const goesOnWithinMs = 60_000;

/** Has one outage of the store after another while three workers run jobs; each time they have to go on. */
export const playOutages = (
  service: QueueService,
  list: readonly Outage[],
  random: Random,
): Promise<SettledQueue> => {
  const trouble: QueueTrouble = async (world, plan, spares) => {
    const problems: string[] = [];
    await using proxy = await openSlowProxy(world.server.port);
    const start = () => spares.start({ ...plan, redis: `redis://127.0.0.1:${proxy.port}`, graceMs: 500 });
    const workers: QueueProcess[] = await Promise.all(Array.from({ length: processes }, start));
    const killOne = async (): Promise<void> => {
      const [killed] = workers.splice(random.below(workers.length), 1);
      killed?.kill('SIGKILL');
      workers.push(await start());
    };
    const goesOn = async (): Promise<boolean> => {
      const { length } = world.emulator.ledger.jobs;
      const until = performance.now() + goesOnWithinMs;
      while (world.emulator.ledger.jobs.length < length + jobsBetween) {
        if (performance.now() > until) return false;
        await wait(20);
      }
      return true;
    };
    if (!(await goesOn())) problems.push('the workers did not begin');
    for (const outage of list) {
      await wait(random.below(300));
      await make[outage]({ world, proxy, random, killOne });
      if (!(await goesOn())) problems.push(`${outage}: the workers did not go on`);
    }
    for (const running of workers) running.kill('SIGTERM');
    for (const { end, said } of await Promise.all(workers.map(({ ended }) => ended)))
      if (end !== 0) problems.push(`a worker ended with ${end}: ${said.slice(0, 300)}`);
    return problems;
  };
  return playBusyQueue(service, random, trouble);
};
