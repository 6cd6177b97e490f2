-- Changes a record that is there.
--
-- KEYS[1] the prefix of job:ID, open, ended, expiring
-- ARGV[1] the id of the record
-- ARGV[2] and on: names and values of fields
-- @flags allow-oom
local id = ARGV[1]
if #ARGV == 1 or redis.call('EXISTS', jobKey(id)) == 0 then return 0 end
redis.call('HSET', jobKey(id), unpack(ARGV, 2))
local endedAt, seq, expiresAt = unpack(redis.call('HMGET', jobKey(id), 'endedAt', 'seq', 'expiresAt'))
if endedAt then
  redis.call('ZREM', prefix .. 'open', id)
  redis.call('ZADD', prefix .. 'ended', seq, id)
  redis.call('ZADD', prefix .. 'expiring', expiresAt, id)
end
return 1
