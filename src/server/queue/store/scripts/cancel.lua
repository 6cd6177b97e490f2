-- Cancels a job: one that waits is over, and one that the service may have, or a worker holds, is marked for the worker. The first request
-- stands in the log. Gives the phase before, or nothing for a job that is not known.
--
-- KEYS[1] the prefix of job:ID, waiting:TENANT, tenants, delayed, workflow:ID, endedBytes, ended, log:OWNER,
--   events:OWNER, events-of:OWNER-JOB
-- ARGV[1] the id of the job
-- ARGV[2] an epoch for a new log
-- ARGV[3] the event of the request, as JSON
-- ARGV[4] the event of the end of a job that waits, as JSON
-- @flags allow-oom
-- @include whole-lists
-- @include append-events
local id = ARGV[1]
local phase, intent, promptId = unpack(redis.call('HMGET', jobKey(id), 'phase', 'intent', 'promptId'))
if phase == 'held' or (phase == 'waiting' and (intent or promptId)) then
  if redis.call('HSETNX', jobKey(id), 'cancelRequestedAt', nowMs()) == 1 then
    countMore(id, 'logBytes', #ARGV[3])
    appendEvents(redis.call('HGET', jobKey(id), 'tenant') or '', id, ARGV[2], 'cancel', { ARGV[3] })
  end
  redis.pcall('PUBLISH', prefix .. 'cancel', id)
elseif phase == 'waiting' or phase == 'delayed' then
  if phase == 'waiting' then dequeue(id) else redis.call('ZREM', prefix .. 'delayed', id) end
  local now = nowMs()
  redis.call('HSET', jobKey(id), 'phase', 'ended', 'reason', 'cancelled', 'outcome', 'cancelled', 'endedAt', now)
  countMore(id, 'logBytes', #ARGV[3] + #ARGV[4])
  enlistEnded(id, now)
  appendEvents(redis.call('HGET', jobKey(id), 'tenant') or '', id, ARGV[2], 'cancel', { ARGV[3], ARGV[4] })
end
return phase
