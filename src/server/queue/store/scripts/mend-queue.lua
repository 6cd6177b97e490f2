-- Sets aside what is of another type in the place of a queue's keys, since every call would fail on it: it is kept as `damaged:KEY`, and
-- counted. Gives how many there were.
--
-- With the names of keys it looks at those of tenants, servers and files as well, and enters each job where its record says that it is. What
-- a list has already stays as it is. A delayed job whose time no list has begins at the time that its record has.
--
-- KEYS[1] the prefix of job:ID, jobs, seq, keys, waiting:TENANT, tenants, virtual, weights, open, open:SERVER, on:SERVER, delayed,
--   turns, unknown, ended, endedBytes, prompts, files, fileBytes, file:HASH, file-jobs:HASH, damaged
-- ARGV[1] the names of keys below the prefix, as JSON, or an empty text
-- @include lists
local aside = 0
local function setAside(name, kind)
  if not isOther(name, kind) then return end
  aside = aside + 1
  if name ~= 'damaged' then redis.call('HSETNX', prefix .. 'damaged', name, '') end
  redis.call('RENAME', prefix .. name, prefix .. 'damaged:' .. name)
  if name == 'damaged' then redis.call('HSETNX', prefix .. 'damaged', name, '') end
end
setAside('damaged', 'hash')
for name, kind in pairs(lists) do setAside(name, kind) end
for _, name in ipairs({ 'seq', 'endedBytes', 'fileBytes', 'slots', 'foreign' }) do setAside(name, 'string') end
if ARGV[1] == '' then return aside end

local kinds = {
  waiting = 'zset', open = 'zset', on = 'hash', has = 'hash', ['file-jobs'] = 'set', file = 'string', worker = 'string', images = 'hash',
}
local ids, known, tenants, hashes = {}, {}, {}, {}
local function know(id)
  if not known[id] and isJob(id) then ids[#ids + 1] = id end
  known[id] = true
end
for _, id in ipairs(redis.call('ZRANGE', prefix .. 'jobs', 0, -1)) do know(id) end
for _, name in ipairs(cjson.decode(ARGV[1])) do
  local kind, rest = string.match(name, '^([%l-]+):(.*)$')
  if kinds[kind] then setAside(name, kinds[kind]) end
  if kind == 'job' then know(rest) end
  if kind == 'waiting' then tenants[#tenants + 1] = rest end
  if kind == 'file' then hashes[#hashes + 1] = rest end
end

local now, bytes = nowMs(), 0
local function enter(list, score, id) redis.call('ZADD', prefix .. list, 'NX', string.format('%d', score), id) end
local function enterHash(list, field, value) redis.call('HSETNX', prefix .. list, field, value) end
local function enterSlot(server, id)
  if server then redis.call('HSETNX', slotsKey(server), id, cjson.encode({ at = now, ms = 0 })) end
end
local function enterWaiting(id, tenant, seq, of)
  if of.intent or of.promptId then
    redis.call('ZADD', openKey(of.server), 'NX', seq, id)
    return enterSlot(of.server, id)
  end
  if not redis.call('ZSCORE', tenantKey(tenant), string.format('%016d', seq) .. ':' .. id) then enqueue(id) end
end
local function enterFiles(id, named)
  for _, hash in ipairs(decoded(named)) do
    redis.call('SADD', fileJobsKey(hash), id)
    enter('files', now, hash)
  end
end
local function seqOf(id)
  local seq = whole(redis.call('HGET', jobKey(id), 'seq'))
  if seq > 0 then return seq end
  seq = nextSeq()
  redis.call('HSET', jobKey(id), 'seq', seq)
  return seq
end
local function place(id)
  local phase, tenant, key, intent, promptId, server, turn, endedAt, due, own, named = unpack(redis.call('HMGET', jobKey(id),
    'phase', 'tenant', 'key', 'intent', 'promptId', 'server', 'turn', 'endedAt', 'due', 'bytes', 'files'))
  if not phase then return end
  tenant = tenant or ''
  local seq = seqOf(id)
  enter('jobs', seq, id)
  if key then enterHash('keys', cjson.encode({ tenant, key }), id) end
  if promptId then enterHash('prompts', promptId, id) end
  if phase ~= 'ended' then enterFiles(id, named) end
  if phase == 'held' and turn then
    enterHash('turns', turn, id)
    enterSlot(server, id)
  elseif phase == 'held' then
    enqueue(id)
  elseif phase == 'waiting' then
    enterWaiting(id, tenant, seq, { intent = intent, promptId = promptId, server = server })
  elseif phase == 'delayed' then
    enter('delayed', due and whole(due) or now, id)
  elseif phase == 'unknown' or phase == 'ended' then
    enter(phase, endedAt and whole(endedAt) or now, id)
    if phase == 'ended' then bytes = bytes + whole(own) end
  end
end
local last = numberIn('seq') or 0
for _, id in ipairs(ids) do last = math.max(last, whole(redis.call('HGET', jobKey(id), 'seq'))) end
redis.call('SET', prefix .. 'seq', string.format('%d', last))
for _, id in ipairs(ids) do place(id) end
redis.call('SET', prefix .. 'endedBytes', string.format('%d', bytes))
local time = tonumber(redis.call('GET', prefix .. 'virtual') or '0') or 0
for _, tenant in ipairs(tenants) do
  if redis.call('EXISTS', tenantKey(tenant)) == 1 then
    redis.call('ZADD', prefix .. 'tenants', 'NX', string.format('%.17g', time + 1 / weightOf(tenant)), tenant)
  end
end
local fileBytes = 0
for _, hash in ipairs(hashes) do
  if redis.call('EXISTS', fileKey(hash)) == 1 then
    enter('files', now, hash)
    fileBytes = fileBytes + redis.call('STRLEN', fileKey(hash))
  end
end
if #hashes > 0 then redis.call('SET', prefix .. 'fileBytes', string.format('%d', fileBytes)) end
return aside
