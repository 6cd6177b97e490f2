import { isServerError, type NodeRedisClient, openNodeRedis } from './node-redis-commands.js';
import { checkConnection, refusedPrefix, withScheme } from './check-connection.js';
import { loadRedisClient } from './load-client.js';
import type { QueueConnection } from '../options.js';
import type { Redis, RedisOptions } from 'ioredis';
import { isOfReplica } from './refusal.js';
import type { RedisClient } from './redis-client.js';
import { serviceError } from '../../../core/errors/service-error.js';

const retryMs = (times: number): number => Math.min(1_000, 50 * times);

/**
 * How long a call may stay without an answer before the connection is ended, so that a frozen server is left for another; in milliseconds.
 */
const silentMs = 20_000;

/** A server that has become a replica is left: its address may lead to the primary by now. */
const reconnectOnError = ({ message }: Error): boolean => isOfReplica(message);

/**
 * While the server is unreachable, calls wait, whatever the program set for its own: BullMQ answers a call that fails at once by the next one,
 * without a pause. Replies are those of RESP 2 in each version of ioredis.
 *
 * Duplicates, such as that on which BullMQ waits, have the same options: once the client is over, none of them connects again.
 */
const ioredisOptions = (over: AbortSignal) => ({
  ...{ maxRetriesPerRequest: null, enableOfflineQueue: true, autoResendUnfulfilledCommands: true },
  ...{ commandTimeout: undefined, reconnectOnError, protocol: 2 },
  retryStrategy: (times: number): number | null => (over.aborted ? null : retryMs(times)),
});

/** The defaults that a program may override. */
const ioredisDefaults = { socketTimeout: silentMs };

/**
 * The same for node-redis, which would end a call that waits after 5 s. A refusal of the server ends the connection, since no later
 * attempt would do better.
 */
const nodeRedisOptions = {
  commandOptions: { timeout: undefined },
  commandsQueueMaxLength: undefined,
  ...{ RESP: 2, disableOfflineQueue: false, clientSideCache: undefined, emitInvalidate: undefined },
  ...{ maintNotifications: 'disabled', pingInterval: 5_000 },
};
const reconnectStrategy =
  (over: AbortSignal) =>
  (times: number, cause: Error): number | Error =>
    isServerError(cause) || over.aborted ? cause : retryMs(times + 1);

/**
 * Opens a client of this package's own: by an address or options, or as a duplicate of an instance, which stays the caller's. It connects
 * again until `over` fires.
 *
 * Rejects with `InvalidConfig` for an instance that a queue can't use, and where no package of a client is installed.
 */
export const openClient = async (connection: QueueConnection, over: AbortSignal): Promise<RedisClient> => {
  checkConnection(connection);
  const client = isInstance(connection) ? duplicated(connection, over) : await created(connection, over);
  // The client reports each attempt while the server is unreachable.
  (client as NodeRedisClient).on('error', () => undefined);
  return client;
};

const isInstance = (connection: QueueConnection): connection is RedisInstance =>
  typeof connection === 'object' && typeof (connection as Partial<Redis>).on === 'function';

type RedisInstance = Extract<QueueConnection, { duplicate: unknown }>;

/** Instances are told apart by what they can do: the package may be there twice. */
const duplicated = (instance: RedisInstance, over: AbortSignal): RedisClient => {
  const { isCluster } = instance as { readonly isCluster?: unknown };
  if (isCluster === true || 'masters' in instance) throw refusedCluster();
  if ('defineCommand' in instance) {
    const redis = instance as unknown as Redis;
    checkPrefix(redis.options);
    const { socketTimeout = silentMs } = redis.options;
    return redis.duplicate({ ...ioredisOptions(over), socketTimeout, lazyConnect: false } as RedisOptions);
  }
  // A pool has `execute`, and what knows Sentinels has `acquire`.
  const isSingle = !('execute' in instance) && !('acquire' in instance);
  if ('sendCommand' in instance && 'isOpen' in instance && isSingle) {
    const client = instance as unknown as NodeRedisClient;
    checkPrefix(client.options);
    const own = { reconnectStrategy: reconnectStrategy(over) };
    const socket = { socketTimeout: silentMs, ...client.options?.socket, ...own };
    return openNodeRedis(client.duplicate({ ...nodeRedisOptions, socket }));
  }
  throw serviceError('InvalidConfig', {
    option: 'connection',
    message: 'connection is an instance of no client that a queue takes.',
    hint: 'Give an instance of ioredis 5 or 6, one that createClient of the package redis 6 made, or the address of the server.',
  });
};

const created = async (
  connection: Exclude<QueueConnection, RedisInstance>,
  over: AbortSignal,
): Promise<RedisClient> => {
  const { ioredis, redis } = await loadRedisClient(typeof connection === 'string');
  if (ioredis !== undefined) {
    const set = ioredisOptions(over);
    const own = { ...ioredisDefaults, ...set };
    if (typeof connection === 'string')
      return new ioredis.Redis(withScheme(connection.trim()), own as unknown as RedisOptions);
    return new ioredis.Redis({ ...ioredisDefaults, ...connection, ...set } as RedisOptions);
  }
  const client = redis.createClient({
    url: withScheme((connection as string).trim()),
  }) as unknown as RedisInstance;
  return duplicated(client, over);
};

const checkPrefix = (options: { readonly keyPrefix?: unknown } | undefined): void => {
  if (options?.keyPrefix !== undefined && options.keyPrefix !== '') throw refusedPrefix();
};

/** The error for a server or a client of Redis Cluster. */
export const refusedCluster = () =>
  serviceError('InvalidConfig', {
    option: 'connection',
    message: 'connection is a Redis Cluster, which a queue does not run on.',
    hint: 'Use one server, or Sentinel: a cluster would keep all keys of a queue on one of its nodes anyway.',
  });
