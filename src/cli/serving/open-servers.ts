import type { Client } from '../../node.js';
import { changeServer, createRemote, type RemoteServer } from '../../remote.js';
import type { CommonFlags, Session } from '../run-command.js';
import { createJobQueue } from '../../queue.js';
import { namesServers } from '../input/server-flags.js';
import { exhaustMap, type Observable, type SchedulerLike, switchMap, timer } from 'rxjs';
import type { Pool, PoolServer } from '../../pool.js';
import { readQueue } from '../input/queue-flags.js';
import { readToken } from '../input/gateway-token.js';
import { UsageError } from '../cli-io.js';

/** The flags that name servers, or what gives them jobs. */
export interface ServersSourceFlags {
  readonly gateway?: string;
  readonly gatewayTokenFile?: string;
  readonly redis?: string;
  readonly name?: string;
}

/** Servers that a command shows, and perhaps changes. */
export interface ServersSource extends AsyncDisposable {
  readonly servers: Observable<readonly RemoteServer[]>;
  /** Pauses, resumes or drains one; a drained one may still run jobs. Absent if only this command would know of it. */
  readonly change?: (name: string, change: 'pause' | 'resume' | 'drain') => Promise<unknown>;
}

/** Opens the servers that flags name: those of a gateway, of a queue, or plain ones. */
export const openServers = async (
  session: Session,
  flags: CommonFlags & ServersSourceFlags,
): Promise<ServersSource> => {
  const isPlain = namesServers(flags);
  const isQueue = flags.redis !== undefined || flags.name !== undefined;
  const ways = [isPlain, isQueue, flags.gateway !== undefined].filter(Boolean).length;
  if (ways > 1)
    throw new UsageError('--server, --gateway and --redis stand in place of each other: give one');
  if (flags.gateway === undefined && flags.gatewayTokenFile !== undefined)
    throw new UsageError('--gateway-token-file needs --gateway');
  if (flags.gateway !== undefined) return ofGateway(session, flags.gateway, flags.gatewayTokenFile);
  if (isQueue) return ofQueue(session, flags);
  if (!isPlain)
    throw new UsageError(
      'no servers are named: give each with --server URL, all with --servers FILE, or what gives them jobs with --gateway URL or --redis URL',
    );
  const pool = await session.pool({ keepsFrames: false });
  // The session closes the pool.
  return { servers: withQueues(pool, session.io.scheduler), [Symbol.asyncDispose]: () => Promise.resolve() };
};

/** How often plain servers are asked what they have to do, in milliseconds. */
const askedEveryMs = 2_000;

/** The servers with the jobs of all programs: this command has none there. */
const withQueues = (pool: Pool, scheduler: SchedulerLike): Observable<readonly PoolServer[]> =>
  pool.servers.pipe(
    switchMap((all) =>
      timer(0, askedEveryMs, scheduler).pipe(
        exhaustMap(() => Promise.all(all.map((server) => withQueue(pool.client(server.name), server)))),
      ),
    ),
  );

const withQueue = async ({ rest }: Client, server: PoolServer): Promise<PoolServer> => {
  if (server.health !== 'up') return server;
  const queue = await rest.queue({ workflow: false, timeoutMs: askedEveryMs })();
  return queue._tag === 'Left'
    ? server
    : { ...server, running: queue.right.running.length, waiting: queue.right.pending.length };
};

const ofGateway = async (
  session: Session,
  url: string,
  tokenFile: string | undefined,
): Promise<ServersSource> => {
  if (!URL.canParse(url)) throw new UsageError('--gateway takes an address, such as https://gateway.example');
  const token = await readToken(session, tokenFile);
  if (token !== undefined) session.addSecret(token);
  const remote = createRemote({ url, ...(token !== undefined && { token }) });
  return {
    servers: remote.servers,
    change: (name, change) => changeServer(remote, name, change),
    [Symbol.asyncDispose]: () => {
      remote.close();
      return Promise.resolve();
    },
  };
};

const ofQueue = (session: Session, { redis, name = 'promptwire' }: ServersSourceFlags): ServersSource => {
  const queue = createJobQueue(readQueue(session, { redis, name }));
  return {
    servers: queue.servers,
    change: (server, change) => {
      if (change === 'pause') return queue.pauseServer(server);
      if (change === 'resume') return queue.resumeServer(server);
      return queue.drainServer(server);
    },
    [Symbol.asyncDispose]: () => queue.close(),
  };
};
