import {
  type QueueTrouble,
  playBusyQueue,
  processes,
  type QueueService,
  type SettledQueue,
} from './busy-queue.js';
import { freePort } from '../../helpers/redis-server.js';
import { join } from 'node:path';
import { mkdir, rm } from 'node:fs/promises';
import { openSlowProxy, type SlowProxy } from './slow-proxy.js';
import type { QueueProcess } from './queue-process.js';
import type { QueueWorld } from './queue-world.js';
import type { Random } from '../../simulation/random.js';
import type { Redis } from 'ioredis';
import { setTimeout as wait } from 'node:timers/promises';

/** What happens to the store of a queue. */
export const outages = [
  'restarted',
  'away',
  'without scripts',
  'slow',
  'too slow',
  'read-only',
  'without replicas',
  'without snapshots',
  'frozen',
] as const;

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

/** A server that can be reached and takes no writes, until `end`. */
const refusing = async (
  { world: { server } }: Scene,
  begin: (redis: Redis) => Promise<unknown>,
  end: (redis: Redis) => Promise<unknown>,
): Promise<void> => {
  const redis = server.connect();
  await begin(redis);
  await wait(awayMs);
  await end(redis);
  redis.disconnect();
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
  // As after a failover, where the address still leads to the server of before.
  'read-only': (scene) =>
    refusing(
      scene,
      async (redis) => redis.replicaof('127.0.0.1', await freePort()),
      (redis) => redis.replicaof('NO', 'ONE'),
    ),
  'without replicas': (scene) =>
    refusing(
      scene,
      (redis) => redis.config('SET', 'min-replicas-to-write', '1'),
      (redis) => redis.config('SET', 'min-replicas-to-write', '0'),
    ),
  'without snapshots': async (scene) => {
    // Nothing can be written where a folder is.
    const snapshot = join(scene.world.server.folder, 'dump.rdb');
    await refusing(
      scene,
      async (redis) => {
        await mkdir(snapshot, { recursive: true });
        await redis.config('SET', 'save', '3600 1');
        await redis.bgsave();
      },
      (redis) => redis.config('SET', 'save', ''),
    );
    await rm(snapshot, { recursive: true, force: true });
  },
  // Its connections stay open.
  frozen: async ({ world: { server } }) => {
    server.stop();
    await wait(awayMs);
    server.goOn();
  },
};

/** So many jobs begin between two outages, and after the last one. */
const jobsBetween = 12;
const goesOnWithinMs = 60_000;

/** Has one outage of the store after another while three workers run jobs; each time they have to go on. */
export const playOutages = async (
  service: QueueService,
  list: readonly Outage[],
  random: Random,
): Promise<SettledQueue & { readonly longestMs: number }> => {
  let longestMs = 0;
  const trouble: QueueTrouble = async (world, plan, spares) => {
    const problems: string[] = [];
    await using proxy = await openSlowProxy(world.server.port);
    const start = () => spares.start({ ...plan(), redis: `redis://127.0.0.1:${proxy.port}`, graceMs: 500 });
    const workers: QueueProcess[] = await Promise.all(Array.from({ length: processes }, start));
    const killOne = async (): Promise<void> => {
      const [killed] = workers.splice(random.below(workers.length), 1);
      killed?.kill('SIGKILL');
      workers.push(await start());
    };
    const goesOn = async (): Promise<boolean> => {
      const { length } = world.ledger();
      const until = performance.now() + goesOnWithinMs;
      while (world.ledger().length < length + jobsBetween) {
        if (performance.now() > until) return false;
        await wait(20);
      }
      return true;
    };
    if (!(await goesOn())) problems.push('the workers did not begin');
    for (const outage of list) {
      await wait(random.below(300));
      await make[outage]({ world, proxy, random, killOne });
      const backAt = performance.now();
      if (!(await goesOn())) problems.push(`${outage}: the workers did not go on`);
      longestMs = Math.max(longestMs, performance.now() - backAt);
    }
    for (const running of workers) running.kill('SIGTERM');
    for (const { end, said } of await Promise.all(workers.map(({ ended }) => ended)))
      if (end !== 0) problems.push(`a worker ended with ${end}: ${said.slice(0, 300)}`);
    return problems;
  };
  return { ...(await playBusyQueue(service, random, trouble)), longestMs };
};
