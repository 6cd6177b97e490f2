-- Leases the records whose lease is over, and gives their fields.
--
-- KEYS[1] the prefix of open, job:ID, jobs, ended, expiring, damaged
-- ARGV[1] the process
-- ARGV[2] for how many milliseconds
-- @flags allow-oom
-- @include records
local now, ids = nowMs(), {}
for _, id in ipairs(redis.call('ZRANGEBYSCORE', prefix .. 'open', '-inf', now)) do
  if isRecord(id) and not isLater(id) then
    redis.call('HSET', jobKey(id), 'process', ARGV[1])
    redis.call('ZADD', prefix .. 'open', now + tonumber(ARGV[2]), id)
    ids[#ids + 1] = id
  end
end
return fieldsOf(ids)
