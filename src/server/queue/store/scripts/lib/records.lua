-- The records of a gateway's jobs, whose keys have a prefix of their own:
--
--   job:ID         hash    a record, as JSON, and its size, owner, key, times, seq and the process that leases it
--   images:ID      hash    the pictures of its job, by node and place
--   jobs           sorted  all records by seq
--   jobs-of:OWNER  sorted  those of an owner
--   key:OWNER-KEY  text    the record that used a key
--   open           sorted  records of jobs that have not ended, by when their lease is over
--   ended          sorted  those of jobs that have, by seq
--   expiring       sorted  the same, by when they expire
--   seq, bytes     number  of the last record; of all of them
--   shares         sorted  owners by the bytes of their records
--   damaged        hash    what could not be read, by the id of its record
--   damaged:ID     any     what stood in the place of a record
local function ownerKey(owner) return prefix .. 'jobs-of:' .. owner end
local function useKey(owner, key) return prefix .. 'key:' .. cjson.encode({ owner, key }) end
local function drop(id)
  local owner, size = unpack(redis.call('HMGET', jobKey(id), 'owner', 'size'))
  redis.call('DEL', jobKey(id), imagesKey(id))
  redis.call('ZREM', prefix .. 'jobs', id)
  redis.call('ZREM', prefix .. 'open', id)
  redis.call('ZREM', prefix .. 'ended', id)
  redis.call('ZREM', prefix .. 'expiring', id)
  if owner then
    redis.call('ZREM', ownerKey(owner), id)
    redis.call('ZINCRBY', prefix .. 'shares', -whole(size), owner)
    if redis.call('EXISTS', ownerKey(owner)) == 0 then redis.call('ZREM', prefix .. 'shares', owner) end
  end
  addTo('bytes', -whole(size), 0)
end
-- Its key stays used until a day after its creation.
local function forget(id)
  local owner, key, createdAt = unpack(redis.call('HMGET', jobKey(id), 'owner', 'key', 'createdAt'))
  if owner and key and key ~= '' then
    redis.call('PEXPIREAT', useKey(owner, key), whole(createdAt) + 86400000)
  end
  drop(id)
end
local function fieldsOf(ids)
  local all = {}
  for index, id in ipairs(ids) do
    local fields = redis.pcall('HGETALL', jobKey(id))
    if fields.err then fields = {} end
    if #fields > 0 then
      fields[#fields + 1] = 'id'
      fields[#fields + 1] = id
    end
    all[index] = fields
  end
  return all
end
-- A record of a later format is left to the processes that know it.
local function isLater(id)
  local format = redis.pcall('HGET', jobKey(id), 'format')
  return type(format) == 'string' and tonumber(format) ~= nil and tonumber(format) > 1
end
-- Takes out what is no record, so that it stands in the way of none; gives whether it was one.
local function isRecord(id)
  if redis.call('TYPE', jobKey(id)).ok == 'hash' and redis.call('HEXISTS', jobKey(id), 'owner') == 1 then
    return true
  end
  if redis.call('EXISTS', jobKey(id)) == 1 then
    redis.call('RENAME', jobKey(id), prefix .. 'damaged:' .. id)
    redis.call('HSETNX', prefix .. 'damaged', id, '')
  end
  for _, set in ipairs({ 'jobs', 'open', 'ended', 'expiring' }) do redis.call('ZREM', prefix .. set, id) end
  return false
end
