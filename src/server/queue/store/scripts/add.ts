import { appendEvents } from './log.js';
import { script } from '../script.js';

/**
 * Adds a job. Gives the id of the job and the moment by the server's clock.
 *
 * A key that the tenant has used gives the id of its job, and adds none; so does an id that is known, as in a call that is repeated
 * because its answer was lost. A delayed job does not wait yet.
 *
 * A queue that drains takes none. ARGV: id, tenant, priority, key or '', by how much it is delayed or '', the packed workflow, an epoch
 * for a new log, the name of this process, and events for the log as JSON.
 */
export const addScript = script(`${appendEvents}
local id, tenant, priority, key, delayMs, packed = unpack(ARGV, 1, 6)
local now = nowMs()
if redis.call('EXISTS', prefix .. 'draining') == 1 then return { '', now } end
if key ~= '' then
  local used = redis.call('HGET', prefix .. 'keys', cjson.encode({ tenant, key }))
  if used then return { used, now } end
end
if redis.call('HEXISTS', jobKey(id), 'phase') == 1 then return { id, now } end
-- The key belongs to the call that adds the job, and is forgotten with it.
if key ~= '' then
  redis.call('HSET', prefix .. 'keys', cjson.encode({ tenant, key }), id)
  redis.call('HSET', jobKey(id), 'key', key)
end
local seq = redis.call('INCR', prefix .. 'seq')
redis.call('HSET', jobKey(id), 'phase', 'delayed', 'tenant', tenant, 'priority', priority, 'seq', seq,
  'fence', 0, 'createdAt', now)
redis.call('SET', prefix .. 'workflow:' .. id, packed)
redis.call('ZADD', prefix .. 'jobs', seq, id)
if delayMs == '' then
  enqueue(id)
else
  redis.call('ZADD', prefix .. 'delayed', now + tonumber(delayMs), id)
end
for index = 9, #ARGV do redis.call('HINCRBY', jobKey(id), 'logBytes', #ARGV[index]) end
if #ARGV > 8 then appendEvents(tenant, id, ARGV[7], ARGV[8], { unpack(ARGV, 9) }) end
return { id, now }
`);
