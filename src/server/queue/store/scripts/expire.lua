-- Forgets the events of a job.
--
-- KEYS[1] the prefix of events-of:OWNER-JOB, log:OWNER, events:OWNER
-- ARGV[1] owner
-- ARGV[2] the id of the job
-- @flags allow-oom
-- @include owner-log
local key = eventsKey(ARGV[2])
local lost = tonumber(redis.call('HGET', headKey, 'lostTo') or '0')
for _, entry in ipairs(redis.call('XRANGE', key, '-', '+')) do
  redis.call('XDEL', ownerKey, entry[1])
  lost = math.max(lost, tonumber(string.match(entry[1], '^%d+')))
end
redis.call('DEL', key)
if lost > 0 then redis.call('HSET', headKey, 'lostTo', string.format('%d', lost)) end
return 1
