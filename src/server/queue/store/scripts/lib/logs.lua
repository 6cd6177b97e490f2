-- The keys of logs, and their heads.
local function headOf(owner) return prefix .. 'log:' .. owner end
local function streamOf(owner) return prefix .. 'events:' .. owner end
local function jobStreamOf(owner, job) return prefix .. 'events-of:' .. cjson.encode({ owner, job }) end
-- Whether a key may be a part of a log; what is of another type is set aside, so that the log goes on without it.
local function isLog(key, kind)
  local found = redis.call('TYPE', key).ok
  if found == kind or found == 'none' then return true end
  local name = string.sub(key, #prefix + 1)
  redis.call('RENAME', key, prefix .. 'damaged:' .. name)
  redis.call('HSETNX', prefix .. 'damaged', name, '')
  return false
end
-- The number of the last entry that a stream ever had.
local function lastIn(stream)
  if redis.call('EXISTS', stream) == 0 then return 0 end
  local info = redis.pcall('XINFO', 'STREAM', stream)
  for index = 1, info.err and 0 or #info, 2 do
    if info[index] == 'last-generated-id' then return tonumber(string.match(info[index + 1], '^%d+')) end
  end
  return 0
end
-- The last number of an owner's log as its head has it, or where that can't be read, as its stream has it.
local function lastOf(owner, text)
  if text and #text < 16 and string.match(text, '^%d+$') then return tonumber(text) end
  return lastIn(streamOf(owner))
end
local function openLog(owner, newEpoch)
  isLog(headOf(owner), 'hash')
  redis.call('HSETNX', headOf(owner), 'epoch', newEpoch)
  local epoch, last = unpack(redis.call('HMGET', headOf(owner), 'epoch', 'last'))
  return epoch, lastOf(owner, last)
end
