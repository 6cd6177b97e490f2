-- Leases the records whose lease is over, and gives their fields.
--
-- KEYS[1] the prefix of open, job:ID
-- ARGV[1] the process
-- ARGV[2] for how many milliseconds
-- @include records
local now = nowMs()
local ids = redis.call('ZRANGEBYSCORE', prefix .. 'open', '-inf', now)
for _, id in ipairs(ids) do
  redis.call('HSET', jobKey(id), 'process', ARGV[1])
  redis.call('ZADD', prefix .. 'open', now + tonumber(ARGV[2]), id)
end
return fieldsOf(ids)
