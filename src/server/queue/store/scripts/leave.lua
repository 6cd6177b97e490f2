-- Ends the hold of a worker on its job; gives 1, or 0 if the worker does not hold it any more.
--
-- In the phase `waiting` the job waits again, with its age; in `ended` and `unknown` it is over, with this outcome and for
-- this reason.
--
-- KEYS[1] the prefix of job:ID, turns, open, waiting:TENANT, virtual, weights, tenants, workflow:ID, endedBytes,
--   ended, unknown
-- ARGV[1] the id of the job
-- ARGV[2] the fence of its holder
-- ARGV[3] `waiting`, `ended` or `unknown`
-- ARGV[4] the reason
-- ARGV[5] the outcome
-- @flags allow-oom
-- @include whole-lists
local id, fence, phase, reason, outcome = unpack(ARGV)
local held, own, turn = unpack(redis.call('HMGET', jobKey(id), 'phase', 'fence', 'turn'))
if held ~= 'held' or own ~= fence then return 0 end
redis.call('HDEL', prefix .. 'turns', turn)
redis.call('HDEL', jobKey(id), 'turn', 'worker')
if phase == 'waiting' then
  enqueue(id)
else
  local now = nowMs()
  freeSlot(id)
  redis.call('HSET', jobKey(id), 'phase', phase, 'reason', reason, 'outcome', outcome, 'endedAt', now)
  if phase == 'ended' then
    enlistEnded(id, now)
  else
    redis.call('ZADD', prefix .. phase, now, id)
    changed(id)
  end
end
return 1
