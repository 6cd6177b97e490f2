-- Mends what leads to the records of a gateway, by the records themselves: lists, keys, totals, and the heads of its logs. Gives how many
-- of these were wrong.
--
-- A key of another type is set aside, since every call would fail on it. A log that lost its last events says so, and one without its
-- head begins anew.
--
-- KEYS[1] the prefix of job:ID, key:OWNER-KEY, jobs, open, ended, expiring, jobs-of:OWNER, seq, bytes, shares, damaged, log:OWNER,
--   events:OWNER, events-of:OWNER-JOB, images:ID
-- ARGV[1] an epoch for logs without their head
-- ARGV[2] the longest lease, in milliseconds
-- ARGV[3] and on: keys below the prefix, for records that no list names and keys that no record leads to
-- @flags allow-oom
-- @include records
-- @include logs
local mended, now = 0, nowMs()
local function setAside(key, kind)
  local found = redis.call('TYPE', key).ok
  if found == 'none' or found == kind then return end
  redis.call('RENAME', key, prefix .. 'damaged:' .. string.sub(key, #prefix + 1))
  mended = mended + 1
end
local function rank(key, id, score)
  if redis.call('ZSCORE', key, id) == score then return end
  redis.call('ZADD', key, score, id)
  mended = mended + 1
end
local function unrank(key, id) mended = mended + redis.call('ZREM', key, id) end
local function isWhole(text) return type(text) == 'string' and #text < 17 and string.match(text, '^%d+$') ~= nil end
local function setNumber(key, number)
  if redis.call('GET', key) == string.format('%d', number) then return end
  redis.call('SET', key, string.format('%d', number))
  mended = mended + 1
end

setAside(prefix .. 'damaged', 'hash')
for _, key in ipairs({ 'seq', 'bytes' }) do setAside(prefix .. key, 'string') end
local lists, known, ids = { 'jobs', 'open', 'ended', 'expiring' }, {}, {}
local function knowJob(id)
  if not known[id] then ids[#ids + 1] = id end
  known[id] = true
end
local function know(key)
  for _, id in ipairs(redis.call('ZRANGE', key, 0, -1)) do knowJob(id) end
end
for _, list in ipairs(lists) do
  setAside(prefix .. list, 'zset')
  know(prefix .. list)
end
setAside(prefix .. 'shares', 'zset')
local owners = {}
local function meet(owner)
  if owners[owner] then return end
  setAside(ownerKey(owner), 'zset')
  owners[owner] = { bytes = 0, ids = {} }
  know(ownerKey(owner))
end
for _, owner in ipairs(redis.call('ZRANGE', prefix .. 'shares', 0, -1)) do meet(owner) end
local kinds = { key = 'string', events = 'stream', ['events-of'] = 'stream', images = 'hash' }
for index = 3, #ARGV do
  local kind, rest = string.match(ARGV[index], '^([%l-]+):(.*)$')
  if kind == 'job' then knowJob(rest) end
  if kind == 'jobs-of' or kind == 'log' then meet(rest) end
  if kinds[kind] then setAside(prefix .. ARGV[index], kinds[kind]) end
end
-- The lists of owners may name more jobs, of more owners.
local at = 1
while ids[at] do
  if isRecord(ids[at]) then meet(redis.call('HGET', jobKey(ids[at]), 'owner')) end
  at = at + 1
end

local unplaced, last, bytes = {}, 0, 0
local function countOf(id, owner)
  local size = redis.call('HGET', jobKey(id), 'size')
  if not isWhole(size) then
    size = string.format('%d', #(redis.call('HGET', jobKey(id), 'record') or ''))
    redis.call('HSET', jobKey(id), 'size', size)
    mended = mended + 1
  end
  owners[owner].bytes, bytes = owners[owner].bytes + tonumber(size), bytes + tonumber(size)
end
local function lease(id)
  local untilMs = tonumber(redis.call('ZSCORE', prefix .. 'open', id) or '')
  if not untilMs or untilMs > now + tonumber(ARGV[2]) then rank(prefix .. 'open', id, '0') end
  unrank(prefix .. 'ended', id)
  unrank(prefix .. 'expiring', id)
end
local function place(id, owner, seq)
  local ended, expires = unpack(redis.call('HMGET', jobKey(id), 'endedAt', 'expiresAt'))
  rank(prefix .. 'jobs', id, seq)
  rank(ownerKey(owner), id, seq)
  if not ended then return lease(id) end
  unrank(prefix .. 'open', id)
  rank(prefix .. 'ended', id, seq)
  if isWhole(expires) then rank(prefix .. 'expiring', id, expires) end
end
local function claim(id, owner)
  local key = redis.call('HGET', jobKey(id), 'key')
  if not key or key == '' then return end
  setAside(useKey(owner, key), 'string')
  local used = redis.call('GET', useKey(owner, key))
  if used == id then return end
  if used and isRecord(used) then
    local itsOwner, itsKey = unpack(redis.call('HMGET', jobKey(used), 'owner', 'key'))
    if itsOwner == owner and itsKey == key then return end
  end
  redis.call('SET', useKey(owner, key), id)
  mended = mended + 1
end
for _, id in ipairs(ids) do
  if isRecord(id) then
    local owner, seq = unpack(redis.call('HMGET', jobKey(id), 'owner', 'seq'))
    owners[owner].ids[#owners[owner].ids + 1] = id
    if not isLater(id) then
      countOf(id, owner)
      claim(id, owner)
      if isWhole(seq) then
        last = math.max(last, tonumber(seq))
        place(id, owner, seq)
      else
        unplaced[#unplaced + 1] = { id, owner }
      end
    end
  end
end
local counted = redis.call('GET', prefix .. 'seq')
if isWhole(counted) then last = math.max(last, tonumber(counted)) end
table.sort(unplaced, function(one, other) return one[1] < other[1] end)
for _, one in ipairs(unplaced) do
  last, mended = last + 1, mended + 1
  redis.call('HSET', jobKey(one[1]), 'seq', string.format('%d', last))
  place(one[1], one[2], string.format('%d', last))
end
if last > 0 or counted then setNumber(prefix .. 'seq', last) end
if bytes > 0 or redis.call('EXISTS', prefix .. 'bytes') == 1 then setNumber(prefix .. 'bytes', bytes) end

-- A stream takes no number up to the last one that it ever had, also where that entry is gone.
local function topOf(key, after)
  local top, info = after, redis.pcall('XINFO', 'STREAM', key)
  for index = 1, info.err and 0 or #info, 2 do
    if info[index] == 'last-generated-id' then top = math.max(top, tonumber(string.match(info[index + 1], '^%d+'))) end
  end
  for _, entry in ipairs(redis.call('XRANGE', key, string.format('(%d-0', after), '+')) do
    top = math.max(top, tonumber(string.match(entry[1], '^%d+')))
  end
  return top
end
local function mendLog(owner, its)
  local head, events = headOf(owner), streamOf(owner)
  setAside(head, 'hash')
  setAside(events, 'stream')
  local epoch, final, lostTo = unpack(redis.call('HMGET', head, 'epoch', 'last', 'lostTo'))
  local before = isWhole(final) and tonumber(final) or 0
  local top = topOf(events, before)
  for _, id in ipairs(its) do
    setAside(jobStreamOf(owner, id), 'stream')
    top = math.max(top, topOf(jobStreamOf(owner, id), before))
  end
  if top == 0 and not epoch then return end
  if not epoch or epoch == '' then redis.call('HSET', head, 'epoch', ARGV[1]) end
  if not isWhole(final) or top > before then redis.call('HSET', head, 'last', string.format('%d', top)) end
  local lost = isWhole(lostTo) and tonumber(lostTo) or 0
  local atTop = string.format('%d-0', top)
  local isThere = top == 0 or #redis.call('XRANGE', events, atTop, atTop) > 0
  if (lostTo and not isWhole(lostTo)) or (not isThere and lost < top) then
    redis.call('HSET', head, 'lostTo', string.format('%d', top))
    mended = mended + 1
  end
  if not epoch or epoch == '' or not isWhole(final) or top > before then mended = mended + 1 end
end
for owner, its in pairs(owners) do
  for _, id in ipairs(redis.call('ZRANGE', ownerKey(owner), 0, -1)) do
    if not isRecord(id) or redis.call('HGET', jobKey(id), 'owner') ~= owner then unrank(ownerKey(owner), id) end
  end
  if redis.call('EXISTS', ownerKey(owner)) == 1 then
    rank(prefix .. 'shares', owner, string.format('%d', its.bytes))
  else
    unrank(prefix .. 'shares', owner)
  end
  mendLog(owner, its.ids)
end
return mended
