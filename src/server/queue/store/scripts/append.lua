-- Adds events of one job to its owner's stream and to its own, with the same numbers, and publishes both. Gives the positions.
--
-- A call with a token that was used in the last ten minutes gives the positions of that call: it is the same one, sent again because
-- the connection broke.
--
-- KEYS[1] the prefix of appended:TOKEN, log:OWNER, events:OWNER, events-of:OWNER-JOB
-- ARGV[1] owner
-- ARGV[2] the id of the job
-- ARGV[3] an epoch for a new log
-- ARGV[4] a token of the call
-- ARGV[5] the name of this process
-- ARGV[6] and on: events, as JSON
-- @flags allow-oom
-- @include append-events
local token = prefix .. 'appended:' .. ARGV[4]
local known = redis.call('GET', token)
if known then return cjson.decode(known) end
local ids = appendEvents(ARGV[1], ARGV[2], ARGV[3], ARGV[5], { unpack(ARGV, 6) })
redis.call('SET', token, cjson.encode(ids), 'EX', 600)
return ids
