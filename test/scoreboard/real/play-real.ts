import type { Client } from '../../../src/client/client-types.js';
import type { Emulator, Ledger } from '../../../src/emulator.js';
import { nodePlatform } from '../../../src/core/platform/node.js';
import type { ConnectionState } from '../../../src/core/socket/connection-state.js';
import { canaryKey } from '../../helpers/canaries.js';
import { sinks } from '../../helpers/sinks.js';
import { type MakeClient, realClient } from '../../simulation/play.js';
import { randomOf } from '../../simulation/random.js';
import { countedPlatform, type CountedPlatform } from './counted-platform.js';
import { eventually } from './eventually.js';
import { hastenedClock } from './hastened-clock.js';
import type { RealPlan } from './plan.js';
import { type RealUsers, realUsers } from './real-users.js';
import { serviceOf } from './service-of.js';

/** What a finished run on real sockets left behind. */
export interface RealRun {
  readonly plan: RealPlan;
  readonly users: RealUsers;
  readonly platform: CountedPlatform;
  readonly connection: readonly { readonly at: number; readonly state: ConnectionState }[];
  readonly ledger: Ledger;
  /** What the client held once it was closed and had a moment to let go. */
  readonly held: Readonly<Record<string, number>>;
  readonly askedAfterClose: number;
}

const key = canaryKey('real');
/** Many times what a run takes, also on a machine that has much else to do. */
export const longPatienceMs = 60_000;

/** What a run is played with besides its plan. */
export interface PlayOptions {
  readonly makeClient?: MakeClient | undefined;
  /** Real milliseconds after which no watcher waits any longer; default far beyond any bound. */
  readonly patienceMs?: number;
  /** MatchInput on while the run is played; the client is not closed before it resolves. */
  readonly attend?: (parts: RealParts) => Promise<void>;
}

/** A run that is being played. */
export interface RealParts extends Pick<RealRun, 'users' | 'platform' | 'connection'> {
  readonly client: Client;
  readonly emulator: Emulator;
}

/** Plays one run to its end: everybody has what they were owed, or has waited far beyond any bound. */
export const playReal = async (
  plan: RealPlan,
  {
    makeClient = realClient,
    patienceMs = longPatienceMs,
    attend = () => Promise.resolve(),
  }: PlayOptions = {},
): Promise<RealRun> => {
  // Where the service is late, its client tries again as late as it may: the machine needs a moment to start one.
  const random = randomOf(plan.seed, 77);
  const platform = countedPlatform({
    ...nodePlatform(),
    clock: hastenedClock(plan.hurry),
    random: plan.startsLate === true ? () => (1 + random.next()) / 2 : random.next,
  });
  const service = await serviceOf(plan, key);
  const client = makeClient(platform, { ...service.addresses, apiKey: key });
  const connection: { readonly at: number; readonly state: ConnectionState }[] = [];
  client.connection.subscribe((state) => {
    connection.push({ at: platform.clock.now(), state });
    sinks.state('a connection state', state);
  });

  const users = realUsers(plan, client, platform);
  // Only what provably never left may go to a service that was not there yet.
  const emulator = await service.start(() => platform.unsent.length > 0);
  const attended = attend({ users, platform, connection, client, emulator });
  await patiently(users.settled, patienceMs);
  await attended;

  const held = await close(client, platform);
  const asked = platform.asked();
  const ledger = copyOf(emulator.ledger);
  await emulator.close();
  return {
    plan,
    users,
    platform,
    connection,
    ledger,
    held,
    askedAfterClose: platform.asked() - asked,
  };
};

const close = async (
  client: Client,
  platform: CountedPlatform,
): Promise<Readonly<Record<string, number>>> => {
  await client.close();
  // A connection that is torn down says so in one of the next turns.
  await eventually(() => Object.values(platform.held()).every((count) => count === 0), 2_000);
  return platform.held();
};

/** Waits for something, but not for ever. */
const patiently = async (settled: Promise<void>, ms: number): Promise<void> => {
  let cancel: ReturnType<typeof setTimeout> | undefined;
  const tired = new Promise<void>((resolve) => (cancel = setTimeout(resolve, ms)));
  await Promise.race([settled, tired]);
  clearTimeout(cancel);
};

/** The ledger's lists go on being written to for as long as the emulator lives. */
const copyOf = ({ jobs, requests, sockets, streams, loads, faults }: Ledger): Ledger => ({
  jobs: [...jobs],
  requests,
  sockets: [...sockets],
  streams: [...streams],
  loads: [...loads],
  faults: [...faults],
});
