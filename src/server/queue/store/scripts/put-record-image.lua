-- Keeps a picture of the job of a record, with whose size it counts; gives whether it does: the record is there, and its owner, and all
-- records, have room. One of the same place is replaced.
--
-- A server without memory takes it as well: the service does not keep it, and the job has been paid for.
--
-- KEYS[1] the prefix of job:ID, images:ID, bytes, shares
-- ARGV[1] the id of the record
-- ARGV[2] the place of the picture
-- ARGV[3] the picture
-- ARGV[4] how many bytes all records may have
-- @flags allow-oom
local id, place, image, maxBytes = unpack(ARGV)
if redis.call('EXISTS', jobKey(id)) == 0 then return 0 end
local more = #image - #(redis.call('HGET', imagesKey(id), place) or '')
local owner, maxOwn = unpack(redis.call('HMGET', jobKey(id), 'owner', 'maxOwn'))
local own = tonumber(redis.call('ZSCORE', prefix .. 'shares', owner) or '0')
if more > 0 and own + more > (tonumber(maxOwn or '') or math.huge) then return 0 end
if more > 0 and (numberIn('bytes') or 0) + more > tonumber(maxBytes) then return 0 end
redis.call('HSET', imagesKey(id), place, image)
countMore(id, 'size', more)
addTo('bytes', more, 0)
redis.call('ZINCRBY', prefix .. 'shares', more, owner)
return 1
