import { type RedisClient, redisCommands } from '../redis/redis-client.js';
import { rightsScript } from './scripts/generated/scripts.js';
import { runScript } from './script.js';
import { serviceError } from '../../../core/errors/service-error.js';
import type { ServiceErrorOf } from '../../../core/errors/errors.js';

/** What a queue, a worker, a gateway's ports and BullMQ send, or call in scripts, with a key or a channel of the queue. */
export const neededCommands = [
  ...[
    'get',
    'set',
    'del',
    'exists',
    'incr',
    'incrby',
    'decrby',
    'strlen',
    'pexpire',
    'pexpireat',
    'pttl',
    'rename',
    'type',
  ],
  ...['hget', 'hset', 'hsetnx', 'hdel', 'hexists', 'hgetall', 'hincrby', 'hkeys', 'hlen', 'hmget', 'hmset'],
  ...[
    'lindex',
    'llen',
    'lpop',
    'lpos',
    'lpush',
    'lrange',
    'lrem',
    'lset',
    'ltrim',
    'rpop',
    'rpoplpush',
    'rpush',
  ],
  ...['sadd', 'scard', 'smembers', 'srem'],
  ...[
    'zadd',
    'zcard',
    'zcount',
    'zpopmin',
    'bzpopmin',
    'zrange',
    'zrangebyscore',
    'zrem',
    'zremrangebyscore',
  ],
  ...['zrevrange', 'zrevrangebyscore', 'zscore'],
  ...['xadd', 'xdel', 'xlen', 'xrange', 'xtrim'],
  ...['publish', 'subscribe'],
] as const;

/** Names the rights that the user of the connection lacks for the keys and channels of a queue; undefined if it lacks none. */
export const checkRights = async (
  redis: RedisClient,
  name: string,
): Promise<ServiceErrorOf<'InvalidConfig'> | undefined> => {
  const prefix = `{promptwire:${name}}:`;
  const what = await missingRights(redis, prefix);
  if (what === undefined) return undefined;
  const message = `The user of Redis at ${redisCommands(redis).address()} lacks rights on ${prefix}*: ${what}.`;
  const hint = 'Give it the rights that docs/guide/many-machines.md lists, or connect as another user.';
  return serviceError('InvalidConfig', { option: 'connection', message, hint });
};

/** The commands that are refused, or the server's words where the question itself is. */
const missingRights = async (redis: RedisClient, prefix: string): Promise<string | undefined> => {
  try {
    const missing = (await runScript(redis, rightsScript, prefix, ...neededCommands)) as readonly string[];
    return missing.length === 0 ? undefined : missing.join(', ');
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('NOPERM')) return error.message;
    throw error;
  }
};
