import { addressOf, serverName } from './check-pool-options.js';
import {
  BehaviorSubject,
  distinctUntilChanged,
  filter,
  map,
  type Observable,
  Subject,
  Subscription,
  tap,
} from 'rxjs';
import { type Capabilities, capabilities } from './capability.js';
import type { Client } from '../client-types.js';
import type { Clock } from '../../core/platform/platform.js';
import {
  cameUp,
  type Moment,
  newServerState,
  refusing,
  roomOf,
  type ServerState,
  wentDown,
} from './server-state.js';
import type { DialectStrategy } from '../dialects/dialect.js';
import { dialectOf } from '../dialects/dialects.js';
import type { ClientStop } from '../../core/http/client-stop.js';
import { jobsAtOnce } from '../jobs/run-all.js';
import { type Probe, probes } from './health.js';
import type { ServiceError } from '../../core/errors/errors.js';
import type { PoolServer } from '../../core/state/pool-server.js';
import type { ServerOptions } from './pool-types.js';

/** One server of a pool. */
export interface PooledServer {
  readonly name: string;
  readonly baseUrl: string;
  readonly client: Client;
  readonly dialect: DialectStrategy;
  readonly tags: readonly string[];
  readonly slots: number;
  readonly ahead: number;
  /** Whether a job that it lost is submitted again where the rules of the pool say nothing. */
  readonly rerunsLost: boolean;
  readonly can: Capabilities;
  /** What is known of it now. */
  readonly state: () => ServerState;
  /** Its state now, and after each change. */
  readonly states: Observable<ServerState>;
  /** Applies what has happened. */
  readonly update: (step: (state: ServerState) => ServerState) => void;
  /** Whether it is down: now, and each change. */
  readonly isDown: Observable<boolean>;
  /** Why it refuses all submissions; undefined while it does not. */
  readonly refusal: () => ServiceError | undefined;
  /** Probes it, since a call has just failed. */
  readonly suspect: () => void;
  /** Stops asking, and closes its client. */
  readonly close: () => Promise<void>;
}

/** Takes a server into a pool; it is asked whether it is there while `active` says so. */
export const pooledServer = (
  options: ServerOptions,
  client: Client,
  { clock, active }: { readonly clock: Clock; readonly active: Observable<boolean> },
): PooledServer => {
  const states = new BehaviorSubject(newServerState(clock.wall()));
  const suspicion = new Subject<void>();
  // An account has a key and a plan; a server without keys runs one job at a time, for nothing.
  const dialect = dialectOf(options.dialect);
  const isPaid = dialect.usesKey;
  const moment = (): Moment => ({ now: clock.now(), wall: clock.wall() });
  const update = (step: (state: ServerState) => ServerState): void => {
    const next = step(states.value);
    if (next !== states.value) states.next(next);
  };
  const can = capabilities(client, clock);
  const noteProbe = (probe: Probe): void => {
    // It may have been started anew, with other classes and models.
    if (probe.isUp && states.value.health === 'down') can.forget();
    update((state) =>
      probe.isUp ? cameUp(state, moment(), probe.memory) : wentDown(state, probe.reason, moment()),
    );
  };
  const watching = new Subscription();
  watching.add(probes(client, clock, active, suspicion).pipe(tap(noteProbe)).subscribe());
  const stop = new BehaviorSubject<ClientStop>({ _tag: 'none' });
  const noteStop = (next: ClientStop): void => {
    stop.next(next);
    update((state) => refusing(state, next._tag === 'none' ? undefined : next.reason, moment()));
  };
  watching.add(client.stops.pipe(tap(noteStop)).subscribe());
  const brokenSockets = client.connection.pipe(filter(({ _tag }) => _tag === 'waiting'));
  watching.add(brokenSockets.pipe(tap(() => suspicion.next())).subscribe());

  return {
    name: serverName(options),
    baseUrl: options.baseUrl,
    client,
    dialect,
    tags: options.tags ?? [],
    slots: options.slots ?? (isPaid ? jobsAtOnce[options.tier ?? 'free'] : 1),
    ahead: options.ahead ?? 1,
    rerunsLost: !isPaid,
    can,
    state: () => states.value,
    states,
    update,
    isDown: states.pipe(
      map(({ health }) => health === 'down'),
      distinctUntilChanged(),
    ),
    refusal: () => (stop.value._tag === 'none' ? undefined : stop.value.error),
    suspect: () => suspicion.next(),
    close: async () => {
      watching.unsubscribe();
      states.complete();
      await client.close();
    },
  };
};

/** What a program sees of a server. */
export const shownServer = (
  { name, baseUrl, tags, slots, ahead, state, can }: PooledServer,
  { now }: Pick<Moment, 'now'>,
  speed: number,
): PoolServer => {
  const { health, since, reason, mode, held, models, done, failed, lost, lateEnds, memory, trustedAt } =
    state();
  const known = can.shown();
  const running = [...held.values()].filter(({ startedAt }) => startedAt !== undefined).length;
  return {
    name,
    baseUrl: withoutUser(baseUrl),
    tags,
    health: health === 'up' && now < trustedAt ? 'trusted later' : health,
    since,
    ...(reason !== undefined && { reason }),
    mode,
    slots,
    ahead,
    running,
    waiting: held.size - running,
    done,
    failed,
    lost,
    lateEnds,
    ...(known !== undefined && { capabilities: known }),
    models,
    speed,
    ...(memory !== undefined && { memory }),
  };
};

const withoutUser = (baseUrl: string): string => {
  const { protocol } = new URL(baseUrl);
  return `${protocol}//${addressOf(baseUrl)}`;
};

/** How many more jobs a server takes now. */
export const roomIn = (server: PooledServer, now: number): number => roomOf(server.state(), server, now);
