-- Forgets records that have ended and expired, and gives their fields.
--
-- KEYS[1] the prefix of expiring, job:ID, key:OWNER-KEY, jobs, open, ended, jobs-of:OWNER, bytes,
--   damaged, shares
-- ARGV[1] the moment, in milliseconds since 1970
-- @flags allow-oom
-- @include records
local ids = {}
for _, id in ipairs(redis.call('ZRANGEBYSCORE', prefix .. 'expiring', '-inf', ARGV[1], 'LIMIT', 0, 500)) do
  if isRecord(id) and not isLater(id) then ids[#ids + 1] = id end
end
local all = fieldsOf(ids)
for _, id in ipairs(ids) do forget(id) end
return all
