-- Adds events of a job where the worker still holds it; gives 1, 2 where it leaves some out, or 0 if the worker does not hold it. The
-- bytes of a job's events are counted: what goes beyond the limit is left out, but for the last of a call that says so.
--
-- KEYS[1] the prefix of appended:TOKEN, job:ID, log:OWNER, events:OWNER, events-of:OWNER-JOB
-- ARGV[1] owner
-- ARGV[2] the id of the job
-- ARGV[3] an epoch for a new log
-- ARGV[4] a token of the call
-- ARGV[5] the name of this process
-- ARGV[6] the fence of its holder
-- ARGV[7] how many bytes the events of the job may have
-- ARGV[8] `1` where the last event counts in any case
-- ARGV[9] and on: events, as JSON
-- @flags allow-oom
-- @include append-events
local owner, job, token = ARGV[1], ARGV[2], prefix .. 'appended:' .. ARGV[4]
local known = redis.call('GET', token)
if known then return tonumber(known) end
local phase, fence, bytes = unpack(redis.call('HMGET', jobKey(job), 'phase', 'fence', 'logBytes'))
if phase ~= 'held' or fence ~= ARGV[6] then return 0 end
local total, kept = whole(bytes), {}
for index = 9, #ARGV do
  local size = #ARGV[index]
  if total + size <= tonumber(ARGV[7]) or (ARGV[8] == '1' and index == #ARGV) then
    total = total + size
    kept[#kept + 1] = ARGV[index]
  end
end
redis.call('HSET', jobKey(job), 'logBytes', total)
appendEvents(owner, job, ARGV[3], ARGV[5], kept)
local result = #kept == #ARGV - 8 and 1 or 2
redis.call('SET', token, result, 'EX', 600)
return result
