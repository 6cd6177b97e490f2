-- Adds a record. Gives `added` and the fields of the records that made room, `used` and those of the one that has the key, or
-- `full`.
--
-- KEYS[1] the prefix of key:OWNER-KEY, job:ID, jobs, bytes, ended, open, expiring, jobs-of:OWNER, seq,
--   damaged
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
-- @include records
local id, owner, key, record, createdAt, expiresAt, process, forMs, most, mostBytes = unpack(ARGV)
if key ~= '' then
  local used = redis.call('GET', useKey(owner, key))
  -- The same call, sent again because its answer was lost.
  if used == id then return { 'added', {} } end
  if used then return { 'used', fieldsOf({ used }) } end
end
if redis.call('EXISTS', jobKey(id)) == 1 then return { 'added', {} } end
local surplus = redis.call('ZCARD', prefix .. 'jobs') + 1 - tonumber(most)
local bytes = tonumber(redis.call('GET', prefix .. 'bytes') or '0') + #record - tonumber(mostBytes)
local evicted = {}
for _, ended in ipairs(redis.call('ZRANGE', prefix .. 'ended', 0, -1)) do
  if surplus <= 0 and bytes <= 0 then break end
  if isRecord(ended) and not isLater(ended) then
    evicted[#evicted + 1] = ended
    surplus = surplus - 1
    bytes = bytes - (tonumber(redis.call('HGET', jobKey(ended), 'size')) or 0)
  end
end
if surplus > 0 or bytes > 0 then return { 'full', {} } end
local room = fieldsOf(evicted)
for _, ended in ipairs(evicted) do forget(ended) end
if key ~= '' then redis.call('SET', useKey(owner, key), id) end
local seq = redis.call('INCR', prefix .. 'seq')
redis.call('HSET', jobKey(id), 'record', record, 'size', #record, 'owner', owner, 'key', key, 'createdAt', createdAt,
  'expiresAt', expiresAt, 'process', process, 'seq', seq, 'format', 1)
redis.call('INCRBY', prefix .. 'bytes', #record)
redis.call('ZADD', prefix .. 'jobs', seq, id)
redis.call('ZADD', ownerKey(owner), seq, id)
redis.call('ZADD', prefix .. 'open', nowMs() + tonumber(forMs), id)
return { 'added', room }
