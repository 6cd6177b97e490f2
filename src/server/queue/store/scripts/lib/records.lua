-- The records of a gateway's jobs, whose keys have a prefix of their own:
--
--   job:ID         hash    a record, as JSON, and its size, owner, key, times, seq and the process that leases it
--   jobs           sorted  all records by seq
--   jobs-of:OWNER  sorted  those of an owner
--   key:OWNER-KEY  text    the record that used a key
--   open           sorted  records of jobs that have not ended, by when their lease is over
--   ended          sorted  those of jobs that have, by seq
--   expiring       sorted  the same, by when they expire
--   seq, bytes     number  of the last record; of all of them
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
