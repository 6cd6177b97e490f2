-- Keeps the latest progress of a job that the worker holds, and publishes it.
--
-- KEYS[1] the prefix of job:ID
-- ARGV[1] the id of the job
-- ARGV[2] the fence of its holder
-- ARGV[3] progress, as JSON
local id, fence, progress = unpack(ARGV)
local phase, own = unpack(redis.call('HMGET', jobKey(id), 'phase', 'fence'))
if phase ~= 'held' or own ~= fence then return 0 end
redis.call('HSET', jobKey(id), 'progress', progress)
redis.pcall('PUBLISH', prefix .. 'progress', id .. ' ' .. progress)
return 1
