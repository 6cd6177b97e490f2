-- Keeps what can't be read of a job beside the jobs; gives 1 to the first that does so, else 0.
--
-- A server without memory takes it as well, so that the job ends.
--
-- KEYS[1] the prefix of job:ID, workflow:ID, damaged
-- ARGV[1] the id of the job
-- ARGV[2] `intent` or `workflow`
-- @flags allow-oom
local id, part = unpack(ARGV)
local text = part == 'intent' and redis.call('HGET', jobKey(id), part) or redis.call('GET', prefix .. 'workflow:' .. id)
return redis.call('HSETNX', prefix .. 'damaged', part .. ':' .. id, text or '')
