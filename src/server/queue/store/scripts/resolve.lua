-- Decides on a job that is unknown: `resubmit` has it wait again without its intent, `forget` ends it. Gives 1, or 0 if it is not
-- unknown.
--
-- KEYS[1] the prefix of job:ID, unknown, open, waiting:TENANT, virtual, weights, tenants, workflow:ID, endedBytes,
--   ended
-- ARGV[1] the id of the job
-- ARGV[2] `resubmit` or `forget`
-- @flags allow-oom
-- @include whole-lists
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
