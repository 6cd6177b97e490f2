-- Keeps a picture of the job of a record, with whose size it counts; gives whether the record is there. One of the same place is replaced.
--
-- A server without memory takes it as well: the service does not keep it, and the job has been paid for.
--
-- KEYS[1] the prefix of job:ID, images:ID, bytes, shares
-- ARGV[1] the id of the record
-- ARGV[2] the place of the picture
-- ARGV[3] the picture
-- @flags allow-oom
local id, place, image = unpack(ARGV)
if redis.call('EXISTS', jobKey(id)) == 0 then return 0 end
local more = #image - #(redis.call('HGET', imagesKey(id), place) or '')
redis.call('HSET', imagesKey(id), place, image)
countMore(id, 'size', more)
addTo('bytes', more, 0)
redis.call('ZINCRBY', prefix .. 'shares', more, redis.call('HGET', jobKey(id), 'owner'))
return 1
