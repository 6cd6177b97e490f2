-- Reads events after a position. Gives the epoch and the entries, or nothing where there is a gap.
--
-- KEYS[1] the prefix of log:OWNER, events-of:OWNER-JOB, events:OWNER
-- ARGV[1] owner
-- ARGV[2] the id of the job, or an empty text for all of the owner
-- ARGV[3] `1` where there is a position
-- ARGV[4] its epoch
-- ARGV[5] its number
-- ARGV[6] how many events at most
-- @include owner-log
local job, has, epoch, number, limit = ARGV[2], ARGV[3] == '1', ARGV[4], tonumber(ARGV[5]), ARGV[6]
if not isLog(headKey, 'hash') then return false end
local own, last, lostTo = unpack(redis.call('HMGET', headKey, 'epoch', 'last', 'lostTo'))
if not own then
  if has or job ~= '' then return false end
  return { '', {} }
end
local key = job == '' and ownerKey or eventsKey(job)
if not isLog(key, 'stream') then return false end
if job ~= '' and redis.call('EXISTS', key) == 0 then return false end
if has and epoch ~= own then return false end
if has and number > lastOf(owner, last) and number > lastIn(ownerKey) then return false end
if has and job == '' and number < whole(lostTo) then return false end
local from = has and string.format('(%d-0', number) or '-'
return { own, redis.call('XRANGE', key, from, '+', 'COUNT', limit) }
