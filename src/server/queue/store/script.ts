import { type RedisClient, redisCommands } from '../redis/redis-client.js';
import type { RedisArgument } from '../redis/redis-commands.js';
import { createHash } from 'node:crypto';

/** A Lua script, one atomic step. Its only key is the prefix of the queue, which all of its keys begin with and share a slot by. */
export interface Script {
  readonly lua: string;
  readonly sha: string;
}

/** Functions that every script may use: names of keys, and the moment by the server's clock. */
const prelude = `
local prefix = KEYS[1]
local function jobKey(id) return prefix .. 'job:' .. id end
local function tenantKey(tenant) return prefix .. 'waiting:' .. tenant end
local function nowMs()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end
local function weightOf(tenant)
  return tonumber(redis.call('HGET', prefix .. 'weights', tenant) or '1')
end
-- Ranks by priority, then age. A tenant that begins to wait starts at the current virtual time. A job that the service may have is
-- before all others: it uses one of the account's slots already.
local function enqueue(id)
  local tenant, priority, seq, intent, promptId =
    unpack(redis.call('HMGET', jobKey(id), 'tenant', 'priority', 'seq', 'intent', 'promptId'))
  redis.call('HSET', jobKey(id), 'phase', 'waiting')
  if intent or promptId then
    redis.call('ZADD', prefix .. 'open', seq, id)
    return
  end
  redis.call('ZADD', tenantKey(tenant), -tonumber(priority), string.format('%016d', tonumber(seq)) .. ':' .. id)
  local now = tonumber(redis.call('GET', prefix .. 'virtual') or '0')
  redis.call('ZADD', prefix .. 'tenants', 'NX', string.format('%.17g', now + 1 / weightOf(tenant)), tenant)
end
-- What is kept of a job that is over: its workflow, and its log in two streams.
local function enlistEnded(id, now)
  local logged = tonumber(redis.call('HGET', jobKey(id), 'logBytes') or '0')
  local bytes = redis.call('STRLEN', prefix .. 'workflow:' .. id) + 2 * logged
  redis.call('HSET', jobKey(id), 'bytes', bytes)
  redis.call('INCRBY', prefix .. 'endedBytes', bytes)
  redis.call('ZADD', prefix .. 'ended', now, id)
end
local function delistEnded(id)
  if redis.call('ZREM', prefix .. 'ended', id) == 0 then return end
  redis.call('DECRBY', prefix .. 'endedBytes', redis.call('HGET', jobKey(id), 'bytes'))
end
local function dequeue(id)
  local tenant, seq = unpack(redis.call('HMGET', jobKey(id), 'tenant', 'seq'))
  redis.call('ZREM', tenantKey(tenant), string.format('%016d', tonumber(seq)) .. ':' .. id)
  if redis.call('EXISTS', tenantKey(tenant)) == 0 then redis.call('ZREM', prefix .. 'tenants', tenant) end
end
`;

/** Makes a script of its body. */
export const script = (body: string): Script => {
  const lua = prelude + body;
  return { lua, sha: createHash('sha1').update(lua).digest('hex') };
};

/** Runs a script, and loads it where the server does not know it, as after a restart. */
export const runScript = async (
  client: RedisClient,
  { lua, sha }: Script,
  prefix: string,
  ...args: readonly RedisArgument[]
): Promise<unknown> => {
  const redis = redisCommands(client);
  try {
    return await redis.evalsha(sha, [prefix], args);
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
    return redis.send('EVAL', lua, 1, prefix, ...args);
  }
};
