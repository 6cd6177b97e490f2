-- Forgets records that have ended and expired, and gives their fields.
--
-- KEYS[1] the prefix of expiring, job:ID, key:OWNER-KEY, jobs, open, ended, jobs-of:OWNER, bytes
-- ARGV[1] the moment, in milliseconds since 1970
-- @include records
local ids = redis.call('ZRANGEBYSCORE', prefix .. 'expiring', '-inf', ARGV[1], 'LIMIT', 0, 500)
local all = fieldsOf(ids)
for _, id in ipairs(ids) do forget(id) end
return all
