-- Adds a record. Gives `added` and the fields of the records that made room, `used` and those of the one that has the key, or
-- `owner` or `all`, whose bound is in the way.
--
-- Records of jobs that have ended make room: for what exceeds the owner's share its own, then the oldest of the owner that has most.
--
-- KEYS[1] the prefix of key:OWNER-KEY, job:ID, jobs, bytes, ended, open, expiring, jobs-of:OWNER, seq,
--   damaged, shares
-- ARGV[1] the id of the record
-- ARGV[2] owner
-- ARGV[3] its key, or an empty text
-- ARGV[4] the record, as JSON
-- ARGV[5] when it was created
-- ARGV[6] when it expires
-- ARGV[7] the process that leases it, or an empty text
-- ARGV[8] for how many milliseconds
-- ARGV[9] how many records there may be
-- ARGV[10] how many bytes they may have
-- ARGV[11] how many bytes those of the owner may have, or an empty text
-- @include records
local id, owner, key, record, createdAt, expiresAt, process, forMs, most, maxBytes, maxOwn =
  unpack(ARGV)
if key ~= '' then
  local used = redis.call('GET', useKey(owner, key))
  -- The same call, sent again because its answer was lost.
  if used == id then return { 'added', {} } end
  if used then return { 'used', fieldsOf({ used }) } end
end
if redis.call('EXISTS', jobKey(id)) == 1 then return { 'added', {} } end
local surplus = redis.call('ZCARD', prefix .. 'jobs') + 1 - tonumber(most)
local bytes = (numberIn('bytes') or 0) + #record - tonumber(maxBytes)
local evicted, taken, counts, sizes = {}, {}, {}, {}
-- Takes the oldest record of an owner whose job has ended; false if it has none.
local function evict(of)
  for _, ended in ipairs(redis.call('ZRANGE', ownerKey(of), 0, -1)) do
    if not taken[ended] and redis.call('ZSCORE', prefix .. 'ended', ended) and isRecord(ended) and not isLater(ended) then
      local size = tonumber(redis.call('HGET', jobKey(ended), 'size')) or 0
      taken[ended] = true
      evicted[#evicted + 1] = ended
      surplus, bytes = surplus - 1, bytes - size
      counts[of], sizes[of] = (counts[of] or 0) + 1, (sizes[of] or 0) + size
      return true
    end
  end
  return false
end
local ownBytes = tonumber(redis.call('ZSCORE', prefix .. 'shares', owner) or '0') + #record
while maxOwn ~= '' and ownBytes - (sizes[owner] or 0) > tonumber(maxOwn) do
  if not evict(owner) then return { 'owner', {} } end
end
if surplus > 0 or bytes > 0 then
  local shares, without = redis.call('ZRANGE', prefix .. 'shares', 0, -1, 'WITHSCORES'), {}
  while surplus > 0 or bytes > 0 do
    local biggest, most
    for index = 1, #shares, 2 do
      local of = shares[index]
      local has = surplus > 0 and redis.call('ZCARD', ownerKey(of)) - (counts[of] or 0)
        or tonumber(shares[index + 1]) - (sizes[of] or 0)
      if not without[of] and (not most or has > most or (has == most and of > biggest)) then
        biggest, most = of, has
      end
    end
    if not biggest then return { 'all', {} } end
    if not evict(biggest) then without[biggest] = true end
  end
end
local forgotten = fieldsOf(evicted)
for _, ended in ipairs(evicted) do forget(ended) end
if key ~= '' then redis.call('SET', useKey(owner, key), id) end
local seq = nextSeq()
redis.call('HSET', jobKey(id), 'record', record, 'size', #record, 'owner', owner, 'key', key, 'createdAt', createdAt,
  'maxOwn', maxOwn, 'expiresAt', expiresAt, 'process', process, 'seq', seq, 'format', 1)
addTo('bytes', #record, 0)
redis.call('ZINCRBY', prefix .. 'shares', #record, owner)
redis.call('ZADD', prefix .. 'jobs', seq, id)
redis.call('ZADD', ownerKey(owner), seq, id)
redis.call('ZADD', prefix .. 'open', nowMs() + tonumber(forMs), id)
return { 'added', forgotten }
