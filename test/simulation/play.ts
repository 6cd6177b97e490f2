import { createClientOn } from '../../src/client.js';
import type { ClientOptions } from '../../src/client-options.js';
import type { Client } from '../../src/client-types.js';
import type { ConnectionState } from '../../src/socket/connection-state.js';
import type { Platform } from '../../src/platform/platform.js';
import { canaryKey } from '../helpers/canaries.js';
import { sinks } from '../helpers/sinks.js';
import { effects } from './faults/index.js';
import { randomOf } from './random.js';
import type { Act, Fault, Schedule } from './schedule.js';
import type { SimJob } from './sim-jobs.js';
import { type Observed, simUsers } from './sim-user.js';
import { makeWorld, type World } from './world.js';

/** What a finished simulation left behind. */
export interface Played {
  readonly schedule: Schedule;
  readonly world: World;
  readonly observed: Observed;
  readonly connection: readonly { readonly at: number; readonly state: ConnectionState }[];
  /** What the client held at the moment at which it was closed, and a little later. */
  readonly held: { readonly sockets: number; readonly timers: number; readonly requests: number };
  readonly requestsAfterClose: number;
  /** The submissions without a subscriber that the closed client lists. */
  readonly recent: Client['recent'];
  /** When the user closed the client, where that was one of the acts. */
  readonly disposedAt: number | undefined;
  /** When the users had all that they were owed, or when nobody waited any longer. */
  readonly endedAt: number;
}

/** Makes the client of a simulation; another one than the real proves that the checks can fail. */
export type MakeClient = (platform: Platform, options?: ClientOptions) => Client;

/** The client as users have it; without options it is one of the simulated service. */
export const realClient: MakeClient = (
  platform,
  options = { baseUrl: 'https://service.example', apiKey: canaryKey(1) },
) => createClientOn(platform, options);

/** What a client of the simulated local server is made with. */
export const localOptions: ClientOptions = { baseUrl: 'http://127.0.0.1:8188', dialect: 'local' };

/** Nobody waits for longer than this after the last thing that happened. */
const patienceMs = 700_000;

/** Plays one schedule to its end: every watcher has settled, or has waited far beyond any bound. */
export const play = async (schedule: Schedule, makeClient: MakeClient = realClient): Promise<Played> => {
  const world = makeWorld(schedule);
  const client = makeClient(world.platform, schedule.dialect === 'local' ? localOptions : undefined);
  const connection: { readonly at: number; readonly state: ConnectionState }[] = [];
  client.connection.subscribe((state) => {
    connection.push({ at: world.clock.now(), state });
    sinks.state('a connection state', state);
  });
  arm(schedule.faults, world);
  const observed = simUsers(schedule, world, client);
  let disposedAt: number | undefined;
  const dispose = (): void => {
    disposedAt ??= world.clock.now();
    void client.close();
  };
  world.user = { ...world.user, close: dispose };
  for (const act of schedule.acts ?? []) world.clock.deliver(act.at, () => perform(act, world, dispose));

  const lastActAt = Math.max(0, ...(schedule.acts ?? []).map(({ at }) => at));
  const isDone = (): boolean =>
    disposedAt !== undefined || (observed.isSettled() && world.clock.now() >= lastActAt);
  const until = (): number =>
    Math.max(
      100_000,
      ...world.ledger.untruths.map(({ until }) => (until === Infinity ? 0 : until)),
      ...[...world.jobs.byId.values()].map(({ endedAt = 0, holdUntil }) => Math.max(endedAt, holdUntil)),
    ) + patienceMs;
  for (let bound = until(); !isDone(); bound = until()) {
    if (world.clock.now() >= bound) break;
    await world.clock.run(Math.min(bound, world.clock.now() + 100_000), isDone);
  }
  if (disposedAt === undefined) await followDoubtful(observed, world);
  const endedAt = world.clock.now();
  // A whole client is large, so one in fifty is looked at.
  if (schedule.seed % 50 === 1) sinks.value('a client', client);
  await client.close();
  await world.clock.run(endedAt + 1_000);
  const held = {
    sockets: world.sockets.held(),
    timers: world.clock.clientTimers(),
    requests: world.rest.held(),
  };
  const before = world.ledger.requests.length + world.ledger.handshakes.length;
  await world.clock.run(endedAt + 90_000);
  const after = world.ledger.requests.length + world.ledger.handshakes.length;
  return {
    schedule,
    world,
    observed,
    connection,
    held,
    disposedAt,
    endedAt,
    requestsAfterClose: after - before,
    recent: client.recent,
  };
};

/** Once the truth can be had again, whoever was told less than that follows the job anew. */
const followDoubtful = async (
  { followDoubtful: follow, isSettled }: Observed,
  world: World,
): Promise<void> => {
  if (!isSettled()) return;
  const since = world.clock.now();
  const truthAt = (): number =>
    Math.max(since, ...world.ledger.untruths.map(({ until }) => (until === Infinity ? 0 : until)));
  await world.clock.run(truthAt() + 1_000);
  if (follow() === 0) return;
  // Another sleep may begin meanwhile.
  while (!isSettled() && world.clock.now() < truthAt() + patienceMs)
    await world.clock.run(truthAt() + patienceMs, isSettled);
};

const perform = ({ what, job, size, index }: Act, world: World, dispose: () => void): void => {
  switch (what) {
    case 'watch again': {
      world.user.watchAgain(job);
      return;
    }
    case 'cancel':
      return void world.user.cancel(job);
    case 'leave':
      return void world.user.leave(job);
    case 'abort':
      return void world.user.abort(job);
    case 'change key':
      world.keys.add(canaryKey(100 + index));
      {
        world.user.setKey(canaryKey(100 + index));
        return;
      }
    case 'resume': {
      world.user.resume();
      return;
    }
    case 'sleep':
      world.clock.sleep(600_000 * size);
      world.untrue(world.clock.now() + 600_000 * size, { isSleep: true });
      return;
    case 'step wall clock': {
      world.clock.stepWall(7_200_000 * (size - 0.5));
      return;
    }
    case 'dispose': {
      dispose();
      return;
    }
  }
};

/** Has each fault strike when its job reaches its moment. */
const arm = (faults: readonly Fault[], world: World): void => {
  const strike = (fault: Fault): void =>
    effects[fault.kind]({
      world,
      fault,
      random: randomOf(world.seed, 6, fault.index),
      hit: () => world.ledger.hits.add(fault.index),
      victim: (work) => findVictim(world, fault, work),
    });
  world.onMoment.push((plan, moment) => {
    for (const fault of faults) {
      if (fault.job !== plan.index || fault.moment !== moment) continue;
      if (fault.afterMs === 0) strike(fault);
      else world.clock.at(fault.afterMs, () => strike(fault));
    }
  });
};

const findVictim = (world: World, fault: Fault, work: (job: SimJob) => void): void => {
  const running = (job: SimJob): boolean => job.endedAt === undefined;
  const own = world.jobsOfPlan(fault.job).find(running);
  const victim = own ?? [...world.jobs.byId.values()].find(running);
  if (victim !== undefined) {
    work(victim);
    return;
  }
  let waits = true;
  world.onMoment.push((plan, moment) => {
    if (!waits || moment !== 'accepted') return;
    waits = false;
    work(world.jobsOfPlan(plan.index).at(-1)!);
  });
};
