import type { Client } from '../../../client/client-types.js';
import { combineLatest, firstValueFrom, map, type Observable } from 'rxjs';
import { type GatewayPool, isPool } from '../services/gateway-pool.js';
import type { GatewayQueue } from '../services/gateway-queue.js';
import type { RemoteServer } from '../../../core/events/remote-server.js';

/** What can be asked of one server by its name. */
export type ServerChange = 'pause' | 'resume' | 'drain';

/** The servers behind a gateway. */
export interface ServerRegistry {
  /** All of them, now and after each change. Errors where the gateway's queue is over an account, which has none. */
  readonly servers: Observable<readonly RemoteServer[]>;
  /** Changes a server, and gives it as it is then; undefined for an unknown name. */
  readonly change: (name: string, change: ServerChange) => Promise<RemoteServer | undefined>;
}

/** A pool, or a queue over servers. */
type ServerSource = Pick<GatewayPool, 'servers'> & {
  readonly [Name in 'pauseServer' | 'resumeServer' | 'drainServer']: (name: string) => unknown;
};

/** The servers of the pools, or of the queue, that run the jobs of a gateway; undefined if neither has any. */
export const serverRegistry = (
  services: readonly (Client | GatewayPool)[],
  queue: GatewayQueue | undefined,
): ServerRegistry | undefined => {
  const sources = queue === undefined ? services.filter(isPool) : hasServers(queue) ? [queue] : [];
  if (sources.length === 0) return undefined;
  const servers = combineLatest(sources.map((source) => source.servers)).pipe(map((all) => all.flat()));
  return {
    servers,
    change: async (name, change) => {
      const lists = await Promise.all(sources.map((source) => firstValueFrom(source.servers, none)));
      const source = sources[lists.findIndex((all) => all.some((server) => server.name === name))];
      if (source === undefined) return undefined;
      await apply(source, name, change);
      return (await firstValueFrom(servers, none)).find((server) => server.name === name);
    },
  };
};

/** A drained server may run jobs for hours: the request does not wait for that. */
const apply = async (source: ServerSource, name: string, change: ServerChange): Promise<void> => {
  if (change === 'pause') await source.pauseServer(name);
  else if (change === 'resume') await source.resumeServer(name);
  else void Promise.resolve(source.drainServer(name)).catch(() => undefined);
};

/** The list of a pool that is closed. */
const none = { defaultValue: [] };

const hasServers = (queue: GatewayQueue): queue is GatewayQueue & ServerSource =>
  queue.servers !== undefined &&
  queue.pauseServer !== undefined &&
  queue.resumeServer !== undefined &&
  queue.drainServer !== undefined;
