-- Forgets the events of a job; with a third argument those of its owner alone, where the queue has the job and with it its own.
--
-- KEYS[1] the prefix of events-of:OWNER-JOB, log:OWNER, events:OWNER, job:ID
-- ARGV[1] owner
-- ARGV[2] the id of the job
-- ARGV[3] `1` where the events of a job stay that the queue has, or absent
-- @flags allow-oom
-- @include owner-log
local key = eventsKey(ARGV[2])
isLog(headKey, 'hash')
isLog(key, 'stream')
isLog(ownerKey, 'stream')
local lost = whole(redis.call('HGET', headKey, 'lostTo'))
for _, entry in ipairs(redis.call('XRANGE', key, '-', '+')) do
  redis.call('XDEL', ownerKey, entry[1])
  lost = math.max(lost, tonumber(string.match(entry[1], '^%d+')))
end
if ARGV[3] ~= '1' or redis.call('EXISTS', jobKey(ARGV[2])) == 0 then redis.call('DEL', key) end
if lost > 0 then redis.call('HSET', headKey, 'lostTo', string.format('%d', lost)) end
return 1
