-- Ends up to so many jobs that wait or are delayed, and that the service has not; gives how many.
--
-- KEYS[1] the prefix of job:ID, workflow:ID, endedBytes, ended, log:OWNER, events:OWNER, events-of:OWNER-JOB,
--   delayed, tenants, waiting:TENANT
-- ARGV[1] how many jobs at most
-- ARGV[2] the reason
-- ARGV[3] an epoch for a new log
-- ARGV[4] the event of their end, as JSON
-- @flags allow-oom
-- @include whole-lists
-- @include append-events
local limit, cleared, now = tonumber(ARGV[1]), 0, nowMs()
local function finish(id)
  cleared = cleared + 1
  if not isJob(id) then return end
  local tenant = redis.call('HGET', jobKey(id), 'tenant')
  redis.call('HSET', jobKey(id), 'phase', 'ended', 'reason', ARGV[2], 'outcome', 'cancelled', 'endedAt', now)
  enlistEnded(id, now)
  appendEvents(tenant or '', id, ARGV[3], 'clear', { ARGV[4] })
end
for _, id in ipairs(redis.call('ZRANGE', prefix .. 'delayed', 0, limit - 1)) do
  redis.call('ZREM', prefix .. 'delayed', id)
  finish(id)
end
while cleared < limit do
  local tenant = redis.call('ZRANGE', prefix .. 'tenants', 0, 0)[1]
  if not tenant then break end
  for _, member in ipairs(redis.call('ZRANGE', tenantKey(tenant), 0, limit - cleared - 1)) do
    redis.call('ZREM', tenantKey(tenant), member)
    finish(string.sub(member, 18))
  end
  if redis.call('EXISTS', tenantKey(tenant)) == 0 then redis.call('ZREM', prefix .. 'tenants', tenant) end
end
return cleared
