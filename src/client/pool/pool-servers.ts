import type { Activity } from './activity.js';
import {
  audit,
  defer,
  filter,
  finalize,
  firstValueFrom,
  map,
  merge,
  mergeMap,
  type Observable,
  of,
  startWith,
  Subject,
  take,
  takeUntil,
  tap,
} from 'rxjs';
import { checkServer, serverName, unknownServer } from './check-pool-options.js';
import type { Client } from '../client-types.js';
import type { ClientOptions } from '../client-options.js';
import type { Clock } from '../../core/platform/platform.js';
import { type Logger, readLogger } from '../../core/log/logger.js';
import { logServer } from './log-server.js';
import { type PooledServer, pooledServer, shownServer } from './pool-server.js';
import type { PoolServer } from '../../core/state/pool-server.js';
import type { ServerOptions } from './pool-types.js';
import { timerOn } from '../../core/platform/timer.js';
import type { ServerState } from './server-state.js';

/** The servers of a pool, by name. */
export interface PoolServers {
  readonly all: ReadonlyMap<string, PooledServer>;
  readonly add: (options: ServerOptions) => void;
  /** The server of a name; throws `InvalidConfig` for one that the pool does not have. */
  readonly get: (name: string) => PooledServer;
  readonly setMode: (name: string, mode: ServerState['mode']) => void;
  /** Resolves once a server holds no job. */
  readonly emptied: (name: string) => Promise<void>;
  readonly remove: (name: string) => Promise<void>;
  /** Emits after each change of any server, and after one was added or removed. */
  readonly changes: Observable<unknown>;
  /** Merges a stream of each server, including those that are added later. */
  readonly each: <A>(project: (server: PooledServer) => Observable<A>) => Observable<A>;
  readonly shown: Observable<readonly PoolServer[]>;
  readonly close: () => Promise<void>;
}

/** Makes the clients of servers, one for each. */
export const poolServers = ({
  open,
  clock,
  activity,
  speedOf,
  logger,
}: {
  readonly open: (options: ClientOptions) => Client;
  readonly clock: Clock;
  readonly activity: Activity;
  readonly speedOf: (server: string) => number;
  readonly logger: Logger | undefined;
}): PoolServers => {
  const log = readLogger(logger);
  const all = new Map<string, PooledServer>();
  const added = new Subject<PooledServer>();
  const changes = new Subject<unknown>();
  const closed = new Subject<void>();

  const get = (name: string): PooledServer => {
    const server = all.get(name);
    if (server === undefined) throw unknownServer(name, [...all.keys()]);
    return server;
  };
  const emptied = async (name: string): Promise<void> => {
    await firstValueFrom(
      get(name).states.pipe(
        filter(({ held }) => held.size === 0),
        take(1),
      ),
      { defaultValue: undefined },
    );
  };
  const setMode = (name: string, mode: ServerState['mode']): void =>
    get(name).update((state) => ({ ...state, mode }));
  const shown = (): readonly PoolServer[] => {
    const now = clock.now();
    return [...all.values()].map((server) => shownServer(server, { now }, speedOf(server.name)));
  };

  return {
    all,
    add: (options) => {
      checkServer(options, all.values());
      const server = pooledServer(options, open({ logger, ...options }), { clock, active: activity.any });
      all.set(serverName(options), server);
      server.states.pipe(tap((state) => changes.next(state))).subscribe();
      if (log !== undefined) logServer(server, log).subscribe();
      added.next(server);
    },
    get,
    setMode,
    emptied,
    remove: async (name) => {
      setMode(name, 'draining');
      const server = get(name);
      await emptied(name);
      all.delete(name);
      changes.next(undefined);
      await server.close();
    },
    changes,
    each: (project) =>
      defer(() => merge(of(...all.values()), added)).pipe(mergeMap(project), takeUntil(closed)),
    shown: defer(() => {
      // A watcher wants their health, so it counts as activity.
      const end = activity.begin();
      return changes.pipe(
        audit(() => timerOn(clock, shownEveryMs)),
        startWith(undefined),
        map(shown),
        takeUntil(closed),
        finalize(end),
      );
    }),
    close: async () => {
      closed.next();
      const servers = [...all.values()];
      all.clear();
      await Promise.all(servers.map((server) => server.close()));
    },
  };
};

/** Changes of one moment are shown together. */
const shownEveryMs = 50;
