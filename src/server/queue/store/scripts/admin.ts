import { appendEvents } from './log.js';
import { script } from '../script.js';

/**
 * Gives how many jobs wait, are delayed, held, unknown and ended; whether the queue drains; why it is paused; how many slots it has, and
 * how many of them jobs of other programs use.
 */
export const statsScript = script(`
local waiting = redis.call('ZCARD', prefix .. 'open')
for _, tenant in ipairs(redis.call('ZRANGE', prefix .. 'tenants', 0, -1)) do
  waiting = waiting + redis.call('ZCARD', tenantKey(tenant))
end
return {
  waiting, redis.call('ZCARD', prefix .. 'delayed'), redis.call('HLEN', prefix .. 'turns'),
  redis.call('ZCARD', prefix .. 'unknown'), redis.call('ZCARD', prefix .. 'ended'),
  redis.call('EXISTS', prefix .. 'draining'), redis.call('GET', prefix .. 'paused') or '',
  tonumber(redis.call('GET', prefix .. 'slots') or '1'), tonumber(redis.call('GET', prefix .. 'foreign') or '0'),
}
`);

/**
 * Ends up to so many jobs that wait or are delayed, and that the service has not; gives how many.
 *
 * ARGV: how many, reason, an epoch for a new log, the event of their end.
 */
export const clearScript = script(`${appendEvents}
local limit, cleared, now = tonumber(ARGV[1]), 0, nowMs()
local function finish(id)
  local tenant = redis.call('HGET', jobKey(id), 'tenant')
  redis.call('HSET', jobKey(id), 'phase', 'ended', 'reason', ARGV[2], 'outcome', 'cancelled', 'endedAt', now)
  enlistEnded(id, now)
  appendEvents(tenant, id, ARGV[3], 'clear', { ARGV[4] })
  cleared = cleared + 1
end
for _, id in ipairs(redis.call('ZRANGE', prefix .. 'delayed', 0, limit - 1)) do
  redis.call('ZREM', prefix .. 'delayed', id)
  finish(id)
end
while cleared < limit do
  local tenant = redis.call('ZRANGE', prefix .. 'tenants', 0, 0)[1]
  if not tenant then break end
  for _, member in ipairs(redis.call('ZRANGE', tenantKey(tenant), 0, limit - cleared - 1)) do
    local id = string.sub(member, 18)
    dequeue(id)
    finish(id)
  end
end
return cleared
`);

/**
 * Forgets up to so many jobs that have ended: those beyond a number or beyond so many bytes, and those that ended before a moment; gives how many.
 *
 * ARGV: how many, the number to keep, the age to keep in milliseconds, the bytes to keep.
 */
export const pruneScript = script(`${appendEvents}
local limit, keep, age, keepBytes = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local surplus = redis.call('ZCARD', prefix .. 'ended') - keep
local pruned = 0
for index, id in ipairs(redis.call('ZRANGE', prefix .. 'ended', 0, limit - 1)) do
  local endedAt = tonumber(redis.call('ZSCORE', prefix .. 'ended', id))
  local bytes = tonumber(redis.call('GET', prefix .. 'endedBytes') or '0')
  if index > surplus and bytes <= keepBytes and endedAt > nowMs() - age then break end
  delistEnded(id)
  local tenant, key, promptId = unpack(redis.call('HMGET', jobKey(id), 'tenant', 'key', 'promptId'))
  if key then redis.call('HDEL', prefix .. 'keys', cjson.encode({ tenant, key })) end
  if promptId then redis.call('HDEL', prefix .. 'prompts', promptId) end
  local lost = tonumber(redis.call('HGET', headOf(tenant), 'lostTo') or '0')
  for _, entry in ipairs(redis.call('XRANGE', jobStreamOf(tenant, id), '-', '+')) do
    redis.call('XDEL', streamOf(tenant), entry[1])
    lost = math.max(lost, tonumber(string.match(entry[1], '^%d+')))
  end
  if lost > 0 then redis.call('HSET', headOf(tenant), 'lostTo', string.format('%d', lost)) end
  redis.call('DEL', jobKey(id), prefix .. 'workflow:' .. id, jobStreamOf(tenant, id))
  redis.call('ZREM', prefix .. 'jobs', id)
  pruned = pruned + 1
end
return pruned
`);

/**
 * Keeps the latest progress of a job that the worker holds, and publishes it.
 *
 * ARGV: id, fence, progress as JSON.
 */
export const progressScript = script(`
local id, fence, progress = unpack(ARGV)
local phase, own = unpack(redis.call('HMGET', jobKey(id), 'phase', 'fence'))
if phase ~= 'held' or own ~= fence then return 0 end
redis.call('HSET', jobKey(id), 'progress', progress)
redis.call('PUBLISH', prefix .. 'progress', id .. ' ' .. progress)
return 1
`);

/** Gives the delayed jobs whose time came so many milliseconds ago: their turns may be lost. ARGV: how many milliseconds. */
export const overdueScript = script(`
return redis.call('ZRANGEBYSCORE', prefix .. 'delayed', '-inf', nowMs() - tonumber(ARGV[1]), 'LIMIT', 0, 1000)
`);

/**
 * Decides on a job that is unknown: `resubmit` has it wait again without its intent, `forget` ends it. Gives 1, or 0 where it is not
 * unknown.
 *
 * ARGV: id, decision.
 */
export const resolveScript = script(`
local id, decision = unpack(ARGV)
if redis.call('HGET', jobKey(id), 'phase') ~= 'unknown' then return 0 end
redis.call('ZREM', prefix .. 'unknown', id)
if decision == 'resubmit' then
  redis.call('HDEL', jobKey(id), 'endedAt', 'reason', 'outcome', 'intent')
  enqueue(id)
else
  redis.call('HSET', jobKey(id), 'phase', 'ended')
  enlistEnded(id, nowMs())
end
return 1
`);
