-- Keeps a picture of a job that the worker holds; gives whether it does. One of the same place is replaced.
--
-- A server without memory takes it as well: the service does not keep it, and the job has been paid for. Pictures are bounded by the jobs that
-- run, as no new one is taken meanwhile.
--
-- KEYS[1] the prefix of job:ID, images:ID
-- ARGV[1] the id of the job
-- ARGV[2] the fence of its holder
-- ARGV[3] the place of the picture
-- ARGV[4] the picture
-- @flags allow-oom
local id, fence, place, image = unpack(ARGV)
local phase, own = unpack(redis.call('HMGET', jobKey(id), 'phase', 'fence'))
if phase ~= 'held' or own ~= fence then return 0 end
local before = #(redis.call('HGET', imagesKey(id), place) or '')
redis.call('HSET', imagesKey(id), place, image)
countMore(id, 'imageBytes', #image - before)
return 1
