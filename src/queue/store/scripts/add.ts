import { script } from '../script.js';

/**
 * Adds a job. Gives the id of the job and the moment by the server's clock.
 *
 * A key that the tenant has used gives the id of its job, and adds none; so does an id that is known, as in a call that is repeated
 * because its answer was lost. A delayed job does not wait yet.
 *
 * ARGV: id, tenant, priority, key or '', whether it is delayed ('1'), the packed workflow.
 */
export const addScript = script(`
local id, tenant, priority, key, delayed, packed = unpack(ARGV)
local now = nowMs()
if key ~= '' then
  local name = cjson.encode({ tenant, key })
  local used = redis.call('HGET', prefix .. 'keys', name)
  if used then return { used, now } end
  redis.call('HSET', prefix .. 'keys', name, id)
  redis.call('HSET', jobKey(id), 'key', key)
end
if redis.call('HEXISTS', jobKey(id), 'phase') == 1 then return { id, now } end
local seq = redis.call('INCR', prefix .. 'seq')
redis.call('HSET', jobKey(id), 'phase', 'delayed', 'tenant', tenant, 'priority', priority, 'seq', seq,
  'fence', 0, 'createdAt', now)
redis.call('SET', prefix .. 'workflow:' .. id, packed)
redis.call('ZADD', prefix .. 'jobs', seq, id)
if delayed ~= '1' then enqueue(id) end
return { id, now }
`);
