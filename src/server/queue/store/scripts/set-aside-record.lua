-- Keeps what can't be read of a record beside the records, and another record in its place; gives 1 to the first that does so, else 0.
--
-- A server without memory takes it as well, so that the job ends.
--
-- KEYS[1] the prefix of job:ID, damaged
-- ARGV[1] the id of the record
-- ARGV[2] the record that stands for it, as JSON
-- @flags allow-oom
local id, standIn = unpack(ARGV)
local text = redis.call('HGET', jobKey(id), 'record')
if redis.call('HSETNX', prefix .. 'damaged', id, text or '') == 0 then return 0 end
redis.call('HSET', jobKey(id), 'record', standIn)
return 1
