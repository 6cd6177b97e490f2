import { createClientOn } from '../../src/client/client.js';
import type { ClientOptions } from '../../src/client/client-options.js';
import type { Client } from '../../src/client/client-types.js';
import type { ConnectionState } from '../../src/core/socket/connection-state.js';
import { load } from '../../src/client/dialects/v2/load.js';
import type { Platform } from '../../src/core/platform/platform.js';
import { canaryKey } from '../helpers/canaries.js';
import { sinks } from '../helpers/sinks.js';
import { effects } from './faults/index.js';
import { randomOf } from './random.js';
import type { Act, Fault, Schedule } from './schedule.js';
import type { SimJob } from './sim-jobs.js';
import { type Observed, simUsers } from './sim-user.js';
import { makeBackend, type Backend } from './backend.js';

/** What a finished simulation left behind. */
export interface Played {
  readonly schedule: Schedule;
  readonly backend: Backend;
  readonly observed: Observed;
  readonly connection: readonly { readonly at: number; readonly state: ConnectionState }[];
  /** What the client held at the moment at which it was closed, and a little later. */
  readonly held: { readonly sockets: number; readonly timers: number; readonly requests: number };
  readonly requestsAfterClose: number;
  /** The submissions without a subscriber that the closed client lists. */
  readonly recent: Client['recent'];
  /** When the user closed the client, where that was one of the acts. */
  readonly disposedAt: number | undefined;
  /** When the users had all that they were owed, or when no watcher waited any longer. */
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

/** What a client of the simulated service of API v2 is made with. */
export const v2Options: ClientOptions = {
  baseUrl: 'https://service.example',
  dialect: 'v2',
  apiKey: canaryKey(1),
};

const optionsOf: Readonly<Record<NonNullable<Schedule['dialect']>, ClientOptions | undefined>> = {
  cloud: undefined,
  local: localOptions,
  v2: v2Options,
};

/** No watcher waits for longer than this after the last thing that happened. */
const patienceMs = 700_000;

/** Plays one schedule to its end: every watcher has settled, or has waited far beyond any bound. */
export const play = async (schedule: Schedule, makeClient: MakeClient = realClient): Promise<Played> => {
  // An import takes real time.
  if (schedule.dialect === 'v2') await load();
  const backend = makeBackend(schedule);
  const client = makeClient(backend.platform, optionsOf[schedule.dialect ?? 'cloud']);
  const connection: { readonly at: number; readonly state: ConnectionState }[] = [];
  client.connection.subscribe((state) => {
    connection.push({ at: backend.clock.now(), state });
    sinks.state('a connection state', state);
  });
  arm(schedule.faults, backend);
  const observed = simUsers(schedule, backend, client);
  let disposedAt: number | undefined;
  const dispose = (): void => {
    disposedAt ??= backend.clock.now();
    void client.close();
  };
  backend.user = { ...backend.user, close: dispose };
  for (const act of schedule.acts ?? []) backend.clock.deliver(act.at, () => perform(act, backend, dispose));

  const lastActAt = Math.max(0, ...(schedule.acts ?? []).map(({ at }) => at));
  const isDone = (): boolean =>
    disposedAt !== undefined || (observed.isSettled() && backend.clock.now() >= lastActAt);
  const until = (): number =>
    Math.max(
      100_000,
      ...backend.ledger.untruths.map(({ until }) => (until === Infinity ? 0 : until)),
      ...[...backend.jobs.byId.values()].map(({ endedAt = 0, holdUntil }) => Math.max(endedAt, holdUntil)),
    ) + patienceMs;
  for (let bound = until(); !isDone(); bound = until()) {
    if (backend.clock.now() >= bound) break;
    await backend.clock.run(Math.min(bound, backend.clock.now() + 100_000), isDone);
  }
  if (disposedAt === undefined) await followDoubtful(observed, backend);
  const endedAt = backend.clock.now();
  // A whole client is large, so one in fifty is looked at.
  if (schedule.seed % 50 === 1) sinks.value('a client', client);
  await client.close();
  await backend.clock.run(endedAt + 1_000);
  const held = {
    sockets: backend.sockets.held(),
    timers: backend.clock.clientTimers(),
    requests: backend.rest.held(),
  };
  const before = backend.ledger.requests.length + backend.ledger.handshakes.length;
  await backend.clock.run(endedAt + 90_000);
  const after = backend.ledger.requests.length + backend.ledger.handshakes.length;
  return {
    schedule,
    backend,
    observed,
    connection,
    held,
    disposedAt,
    endedAt,
    requestsAfterClose: after - before,
    recent: client.recent,
  };
};

/** Once REST tells the truth again, each user whose watcher saw less follows the job anew. */
const followDoubtful = async (
  { followDoubtful: follow, isSettled }: Observed,
  backend: Backend,
): Promise<void> => {
  if (!isSettled()) return;
  const since = backend.clock.now();
  const truthAt = (): number =>
    Math.max(since, ...backend.ledger.untruths.map(({ until }) => (until === Infinity ? 0 : until)));
  await backend.clock.run(truthAt() + 1_000);
  if (follow() === 0) return;
  // Another sleep may begin meanwhile.
  while (!isSettled() && backend.clock.now() < truthAt() + patienceMs)
    await backend.clock.run(truthAt() + patienceMs, isSettled);
};

const perform = ({ what, job, size, index }: Act, backend: Backend, dispose: () => void): void => {
  switch (what) {
    case 'watch again': {
      backend.user.watchAgain(job);
      return;
    }
    case 'cancel':
      return void backend.user.cancel(job);
    case 'leave':
      return void backend.user.leave(job);
    case 'abort':
      return void backend.user.abort(job);
    case 'change key':
      backend.keys.add(canaryKey(100 + index));
      {
        backend.user.setKey(canaryKey(100 + index));
        return;
      }
    case 'resume': {
      backend.user.resume();
      return;
    }
    case 'sleep':
      backend.clock.sleep(600_000 * size);
      backend.untrue(backend.clock.now() + 600_000 * size, { isSleep: true });
      return;
    case 'step wall clock': {
      backend.clock.stepWall(7_200_000 * (size - 0.5));
      return;
    }
    case 'dispose': {
      dispose();
      return;
    }
  }
};

/** Has each fault strike when its job reaches its moment. */
const arm = (faults: readonly Fault[], backend: Backend): void => {
  const strike = (fault: Fault): void =>
    effects[fault.kind]({
      backend,
      fault,
      random: randomOf(backend.seed, 6, fault.index),
      hit: () => backend.ledger.hits.add(fault.index),
      victim: (work) => findVictim(backend, fault, work),
    });
  backend.onMoment.push((plan, moment) => {
    for (const fault of faults) {
      if (fault.job !== plan.index || fault.moment !== moment) continue;
      if (fault.afterMs === 0) strike(fault);
      else backend.clock.at(fault.afterMs, () => strike(fault));
    }
  });
};

const findVictim = (backend: Backend, fault: Fault, work: (job: SimJob) => void): void => {
  const running = (job: SimJob): boolean => job.endedAt === undefined;
  const own = backend.jobsOfPlan(fault.job).find(running);
  const victim = own ?? [...backend.jobs.byId.values()].find(running);
  if (victim !== undefined) {
    work(victim);
    return;
  }
  let waits = true;
  backend.onMoment.push((plan, moment) => {
    if (!waits || moment !== 'accepted') return;
    waits = false;
    work(backend.jobsOfPlan(plan.index).at(-1)!);
  });
};
