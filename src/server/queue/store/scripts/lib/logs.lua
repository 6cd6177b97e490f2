-- The keys of logs, and their heads.
local function headOf(owner) return prefix .. 'log:' .. owner end
local function streamOf(owner) return prefix .. 'events:' .. owner end
local function jobStreamOf(owner, job) return prefix .. 'events-of:' .. cjson.encode({ owner, job }) end
local function openLog(owner, newEpoch)
  redis.call('HSETNX', headOf(owner), 'epoch', newEpoch)
  return redis.call('HGET', headOf(owner), 'epoch'), tonumber(redis.call('HGET', headOf(owner), 'last') or '0')
end
