-- Takes back a record, and its key.
--
-- KEYS[1] the prefix of job:ID, key:OWNER-KEY, jobs, open, ended, expiring, jobs-of:OWNER, bytes, shares
-- ARGV[1] the id of the record
-- @flags allow-oom
-- @include records
local id = ARGV[1]
local owner, key = unpack(redis.call('HMGET', jobKey(id), 'owner', 'key'))
if not owner then return 0 end
if key ~= '' then redis.call('DEL', useKey(owner, key)) end
drop(id)
return 1
