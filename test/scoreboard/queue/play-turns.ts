import { createClient } from '../../../src/node.js';
import { createPool } from '../../../src/pool.js';
import { createWorker } from '../../../src/queue.js';
import { findProgram } from '../../helpers/find-program.js';
import { inParallel } from '../../helpers/in-parallel.js';
import type { JobStore } from '../../../src/server/queue/store/job-store.js';
import { markOf, openWorld } from './queue-world.js';
import type { Random } from '../../simulation/random.js';
import { redisJobStore } from '../../../src/server/queue/store/redis-job-store.js';
import { startRedis } from '../../helpers/redis-server.js';
import { setTimeout as wait } from 'node:timers/promises';
import { storeClock } from '../../../src/server/queue/store/store-clock.js';

/** How many calls are under way at once. */
const atOnce = 200;

/** A store of jobs on a Redis server of its own. */
export interface TurnStore extends AsyncDisposable {
  readonly open: (name: string) => JobStore;
}

/** Starts a Redis server for stores. */
export const openStores = async (): Promise<TurnStore> => {
  const program = findProgram('redis-server');
  if (program === undefined) throw new Error('redis-server is not installed');
  const server = await startRedis(program);
  const redis = server.connect();
  return {
    open: (name) => redisJobStore({ redis, name, time: storeClock(() => performance.now()) }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
};

const workflow = { 1: { class_type: 'SaveImage', inputs: {} } };

/** Adds so many jobs of a tenant. */
const addJobs = async (store: JobStore, tenant: string, count: number): Promise<void> => {
  const ids = Array.from({ length: count }, (_, nth) => `${tenant} ${nth}`);
  await inParallel(ids, atOnce, (id) => store.add({ id, workflow, tenant }));
};

/** Gives the next so many turns, in order, and the tenants that got them. */
const tenantsOf = async (store: JobStore, turns: readonly string[]): Promise<readonly string[]> => {
  const held = await inParallel(turns, atOnce, (turn) => store.take(turn, 'worker'));
  return held.map((one) => one?.job.tenant ?? '');
};

/**
 * How many turns of a slot the only job of a tenant waits that comes while another one has a thousand, of which some have had their
 * turns.
 */
export const turnsBehind = async (store: JobStore, many: number, random: Random): Promise<number> => {
  await addJobs(store, 'many', many);
  const before = random.between(0, Math.floor(many / 2));
  await tenantsOf(
    store,
    Array.from({ length: before }, (_, nth) => `before ${nth}`),
  );
  await store.add({ id: 'one', workflow, tenant: 'one', priority: random.between(-5, 5) });
  for (let turn = 1; ; turn += 1) {
    if ((await store.take(`turn ${turn}`, 'worker'))?.id === 'one') return turn;
    if (turn > many) return Infinity;
  }
};

/** The turns that tenants got, of those which all of them had work for. */
export interface Shares {
  /** The turns of each tenant whose weight is 1. */
  readonly light: readonly number[];
  /** Those of each whose weight is 3. */
  readonly heavy: readonly number[];
}

/** Gives turns to so many tenants, half of them with the weight 3: ten each to the others, and thirty to these, if shares are exact. */
export const sharesOf = async (store: JobStore, tenants: number): Promise<Shares> => {
  const names = Array.from({ length: tenants }, (_, nth) => `t${nth}`);
  const isHeavy = (_: string, nth: number): boolean => nth % 2 === 1;
  await inParallel(names.filter(isHeavy), atOnce, (name) => store.setWeight(name, 3));
  for (const [nth, name] of names.entries()) await addJobs(store, name, isHeavy(name, nth) ? 36 : 12);
  const turns = Array.from({ length: tenants * 20 }, (_, nth) => `turn ${nth}`);
  const got = new Map(names.map((name) => [name, 0]));
  for (const tenant of await tenantsOf(store, turns)) got.set(tenant, (got.get(tenant) ?? 0) + 1);
  const of = (list: readonly string[]): readonly number[] => list.map((name) => got.get(name) ?? 0);
  return {
    light: of(names.filter((name, nth) => !isHeavy(name, nth))),
    heavy: of(names.filter(isHeavy)),
  };
};

/**
 * How many jobs of a tenant with so many begin between the adding and the beginning of the only one of another, by real workers of an
 * account, or over servers.
 */
export const begunBefore = async (slots: number, many: number, over?: 'servers'): Promise<number> => {
  const dialect = over === undefined ? 'cloud' : 'local';
  await using world = await openWorld(slots, { dialect, concurrency: slots, speed: 20 }, undefined, over);
  const { redis, name, baseUrl, wsUrl, apiKey, servers } = world.plan;
  await inParallel(Array.from({ length: many }), 50, () => world.add(4, 'many'));
  const service = { baseUrl, wsUrl, apiKey, dialect } as const;
  const clients = [0, 1].map(() =>
    servers === undefined
      ? { client: createClient(service) }
      : { pool: createPool({ servers: servers.map((one) => ({ ...one, dialect })) }) },
  );
  const workers = clients.map((own) => createWorker({ connection: redis, name, ...own }));
  try {
    const begun = world.ledger;
    const until = performance.now() + 60_000;
    const waitFor = async (isThere: () => boolean): Promise<void> => {
      while (!isThere()) {
        if (performance.now() > until) throw new Error('the jobs did not begin');
        await wait(5);
      }
    };
    await waitFor(() => begun().length >= 2 * slots);
    const id = await world.add(4, 'one');
    const before = begun().length;
    const mark = [...world.added].find(([, own]) => own === id)?.[0];
    const place = (): number => begun().findIndex((job) => markOf(job) === mark);
    await waitFor(() => place() >= 0);
    await world.queue.clear();
    return place() - before;
  } finally {
    await Promise.all(workers.map((worker) => worker.close()));
    await Promise.all(clients.map(({ client, pool }) => (client ?? pool).close()));
  }
};
