import type { ConnectionOptions } from 'bullmq';
import type { Packages } from './load.js';
import type { RedisClient } from '../redis/redis-client.js';

/**
 * Makes of a client the connection that BullMQ takes.
 *
 * BullMQ listens to the errors of node-redis only while it works with a connection. An error that has no listener throws into node-redis, which
 * then never connects again: this listener stays for as long as the client.
 */
export const bullConnection = (
  { bullmq: { createNodeRedisClient } }: Packages,
  redis: RedisClient,
): ConnectionOptions => {
  if ('defineCommand' in redis) return redis;
  const client = createNodeRedisClient(redis);
  client.on('error', () => undefined);
  return client;
};
