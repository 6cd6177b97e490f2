-- Adds a job. Gives the id of the job and the moment by the server's clock.
--
-- A key that the tenant has used gives the id of its job, and adds none; so does an id that is known, as in a call that is repeated
-- because its answer was lost. A delayed job does not wait yet.
--
-- A queue that drains takes none.
--
-- KEYS[1] the prefix of draining, keys, job:ID, seq, workflow:ID, jobs, open, waiting:TENANT, virtual, weights,
--   tenants, delayed, log:OWNER, events:OWNER, events-of:OWNER-JOB
-- ARGV[1] the id of the job
-- ARGV[2] tenant
-- ARGV[3] priority
-- ARGV[4] its key, or an empty text
-- ARGV[5] by how many milliseconds it is delayed, or an empty text
-- ARGV[6] the packed workflow
-- ARGV[7] an epoch for a new log
-- ARGV[8] the name of this process
-- ARGV[9] and on: events for the log, as JSON
-- @include append-events
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
