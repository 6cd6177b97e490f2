-- Gives a waiting job to a server that has a slot free, and to a worker that reaches it; without a server only to the worker, which ends it.
-- Gives the id, the moment and the fields of the job, and the models of the server's job before it; nothing where the job does not wait any
-- more, the queue is paused, or the server is not to have it.
--
-- The tenant's virtual finish time grows, as each job of a tenant counts alike wherever it goes. A server that takes no writes gives no job.
--
-- KEYS[1] the prefix of job:ID, turns, on:SERVER, worker:ID, modes, loaded, paused, probe, tenants, waiting:TENANT,
--   virtual, weights
-- ARGV[1] the worker
-- ARGV[2] for how many milliseconds it counts as alive from now on
-- ARGV[3] the id of the job
-- ARGV[4] the server, or an empty text
-- ARGV[5] how many slots it has
-- ARGV[6] how long the job is expected to take there, in milliseconds
-- ARGV[7] the models of the job, as JSON, or an empty text
-- @include whole-lists
-- @include hold
local worker, aliveMs, id, server, slots, expected, models = unpack(ARGV)
probe()
if redis.call('EXISTS', workerKey(worker)) == 0 or redis.call('EXISTS', prefix .. 'paused') == 1 then return {} end
local phase, tenant, intent, promptId = unpack(redis.call('HMGET', jobKey(id), 'phase', 'tenant', 'intent', 'promptId'))
if phase ~= 'waiting' or intent or promptId then return {} end
if server ~= '' then
  if redis.call('HEXISTS', prefix .. 'modes', server) == 1 then return {} end
  if redis.call('HLEN', slotsKey(server)) >= tonumber(slots) then return {} end
end
local first = redis.call('ZRANGE', prefix .. 'tenants', 0, 0, 'WITHSCORES')
local finish = redis.call('ZSCORE', prefix .. 'tenants', tenant)
dequeue(id)
if first[1] == tenant then redis.call('SET', prefix .. 'virtual', string.format('%.17g', tonumber(first[2]))) end
if redis.call('EXISTS', tenantKey(tenant)) == 1 then
  redis.call('ZADD', prefix .. 'tenants', string.format('%.17g', tonumber(finish) + 1 / weightOf(tenant)), tenant)
end
local before = redis.call('HGET', prefix .. 'loaded', server) or ''
if server ~= '' and models ~= '' then redis.call('HSET', prefix .. 'loaded', server, models) end
local held = hold(id, worker, aliveMs, server, expected)
held[4] = before
return held
