import { script } from '../script.js';

const functions = `
local function ownerKey(owner) return prefix .. 'jobs-of:' .. owner end
local function useKey(owner, key) return prefix .. 'key:' .. cjson.encode({ owner, key }) end
local function drop(id)
  local owner, size = unpack(redis.call('HMGET', jobKey(id), 'owner', 'size'))
  redis.call('DEL', jobKey(id))
  redis.call('ZREM', prefix .. 'jobs', id)
  redis.call('ZREM', prefix .. 'open', id)
  redis.call('ZREM', prefix .. 'ended', id)
  redis.call('ZREM', prefix .. 'expiring', id)
  redis.call('ZREM', ownerKey(owner), id)
  redis.call('DECRBY', prefix .. 'bytes', size)
end
-- Its key stays used until a day after its creation.
local function forget(id)
  local owner, key, createdAt = unpack(redis.call('HMGET', jobKey(id), 'owner', 'key', 'createdAt'))
  if key ~= '' then redis.call('PEXPIREAT', useKey(owner, key), tonumber(createdAt) + 86400000) end
  drop(id)
end
local function fieldsOf(ids)
  local all = {}
  for index, id in ipairs(ids) do all[index] = redis.call('HGETALL', jobKey(id)) end
  return all
end
`;

/**
 * Adds a record. Gives \`added\` and the fields of the records that made room, \`used\` and those of the one that has the key, or
 * \`full\`.
 *
 * ARGV: id, owner, key or '', the record as JSON, when it was created, when it expires, the process that leases it or '', for how many
 * milliseconds, the most records, the most bytes.
 */
export const addRecordScript = script(`${functions}
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
  evicted[#evicted + 1] = ended
  surplus = surplus - 1
  bytes = bytes - tonumber(redis.call('HGET', jobKey(ended), 'size'))
end
if surplus > 0 or bytes > 0 then return { 'full', {} } end
local room = fieldsOf(evicted)
for _, ended in ipairs(evicted) do forget(ended) end
if key ~= '' then redis.call('SET', useKey(owner, key), id) end
local seq = redis.call('INCR', prefix .. 'seq')
redis.call('HSET', jobKey(id), 'record', record, 'size', #record, 'owner', owner, 'key', key, 'createdAt', createdAt,
  'expiresAt', expiresAt, 'process', process, 'seq', seq)
redis.call('INCRBY', prefix .. 'bytes', #record)
redis.call('ZADD', prefix .. 'jobs', seq, id)
redis.call('ZADD', ownerKey(owner), seq, id)
redis.call('ZADD', prefix .. 'open', nowMs() + tonumber(forMs), id)
return { 'added', room }
`);

/** Changes a record that is there. ARGV: id, then names and values of fields. */
export const updateRecordScript = script(`
local id = ARGV[1]
if #ARGV == 1 or redis.call('EXISTS', jobKey(id)) == 0 then return 0 end
redis.call('HSET', jobKey(id), unpack(ARGV, 2))
local endedAt, seq, expiresAt = unpack(redis.call('HMGET', jobKey(id), 'endedAt', 'seq', 'expiresAt'))
if endedAt then
  redis.call('ZREM', prefix .. 'open', id)
  redis.call('ZADD', prefix .. 'ended', seq, id)
  redis.call('ZADD', prefix .. 'expiring', expiresAt, id)
end
return 1
`);

/** Takes back a record, and its key. ARGV: id. */
export const removeRecordScript = script(`${functions}
local id = ARGV[1]
local owner, key = unpack(redis.call('HMGET', jobKey(id), 'owner', 'key'))
if not owner then return 0 end
if key ~= '' then redis.call('DEL', useKey(owner, key)) end
drop(id)
return 1
`);

/** Forgets records that have ended and expired, and gives their fields. ARGV: the moment, in milliseconds since 1970. */
export const expireRecordsScript = script(`${functions}
local ids = redis.call('ZRANGEBYSCORE', prefix .. 'expiring', '-inf', ARGV[1], 'LIMIT', 0, 500)
local all = fieldsOf(ids)
for _, id in ipairs(ids) do forget(id) end
return all
`);

/** Renews leases, and gives the ids of those that the process does not have. ARGV: process, for how many milliseconds, ids. */
export const renewLeasesScript = script(`
local process, untilMs, lost = ARGV[1], nowMs() + tonumber(ARGV[2]), {}
for index = 3, #ARGV do
  local id = ARGV[index]
  if redis.call('HGET', jobKey(id), 'process') == process then
    redis.call('ZADD', prefix .. 'open', 'XX', untilMs, id)
  else
    lost[#lost + 1] = id
  end
end
return lost
`);

/** Leases the records whose lease is over, and gives their fields. ARGV: process, for how many milliseconds. */
export const acquireLeasesScript = script(`${functions}
local now = nowMs()
local ids = redis.call('ZRANGEBYSCORE', prefix .. 'open', '-inf', now)
for _, id in ipairs(ids) do
  redis.call('HSET', jobKey(id), 'process', ARGV[1])
  redis.call('ZADD', prefix .. 'open', now + tonumber(ARGV[2]), id)
end
return fieldsOf(ids)
`);
