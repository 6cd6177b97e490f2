-- Keeps what can't be read of a job beside the jobs; gives 1 to the first that does so, else 0.
--
-- A server without memory takes it as well, so that the job ends.
--
-- KEYS[1] the prefix of job:ID, workflow:ID, damaged
-- ARGV[1] the id of the job
-- ARGV[2] `intent` or `workflow`
-- @flags allow-oom
local id, part = unpack(ARGV)
local key = prefix .. 'workflow:' .. id
local text = part == 'intent' and redis.call('HGET', jobKey(id), part) or redis.pcall('GET', key)
if type(text) == 'table' then
  redis.call('RENAME', key, prefix .. 'damaged:workflow:' .. id)
  text = ''
end
return redis.call('HSETNX', prefix .. 'damaged', part .. ':' .. id, text or '')
