-- Forgets up to so many jobs that have ended: those beyond a number or beyond so many bytes, and those that ended before a moment; gives how many.
--
-- KEYS[1] the prefix of ended, endedBytes, job:ID, keys, prompts, log:OWNER, events-of:OWNER-JOB, events:OWNER,
--   workflow:ID, images:ID, jobs
-- ARGV[1] how many jobs at most
-- ARGV[2] how many ended jobs to keep
-- ARGV[3] the age to keep, in milliseconds
-- ARGV[4] the bytes to keep
-- @flags allow-oom
-- @include whole-lists
-- @include logs
local limit, keep, age, keepBytes = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local surplus = redis.call('ZCARD', prefix .. 'ended') - keep
local pruned = 0
for index, id in ipairs(redis.call('ZRANGE', prefix .. 'ended', 0, limit - 1)) do
  local endedAt = tonumber(redis.call('ZSCORE', prefix .. 'ended', id))
  local bytes = numberIn('endedBytes') or 0
  if index > surplus and bytes <= keepBytes and endedAt > nowMs() - age then break end
  isJob(id)
  delistEnded(id)
  local tenant, key, promptId = unpack(redis.call('HMGET', jobKey(id), 'tenant', 'key', 'promptId'))
  tenant = tenant or ''
  if key then redis.call('HDEL', prefix .. 'keys', cjson.encode({ tenant, key })) end
  if promptId then redis.call('HDEL', prefix .. 'prompts', promptId) end
  isLog(headOf(tenant), 'hash')
  isLog(jobStreamOf(tenant, id), 'stream')
  isLog(streamOf(tenant), 'stream')
  local lost = whole(redis.call('HGET', headOf(tenant), 'lostTo'))
  for _, entry in ipairs(redis.call('XRANGE', jobStreamOf(tenant, id), '-', '+')) do
    redis.call('XDEL', streamOf(tenant), entry[1])
    lost = math.max(lost, tonumber(string.match(entry[1], '^%d+')))
  end
  if lost > 0 then redis.call('HSET', headOf(tenant), 'lostTo', string.format('%d', lost)) end
  redis.call('DEL', jobKey(id), imagesKey(id), prefix .. 'workflow:' .. id, jobStreamOf(tenant, id))
  redis.call('ZREM', prefix .. 'jobs', id)
  changed(id)
  pruned = pruned + 1
end
return pruned
