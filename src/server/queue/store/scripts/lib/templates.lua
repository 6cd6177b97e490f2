-- The templates of a gateway's callers, beside its records:
--
--   templates:OWNER        hash  without their workflows, as JSON, by name
--   template-bodies:OWNER  hash  their workflows, as JSON, by name
--   template-sizes:OWNER   hash  the bytes of both, by name
--   template-totals        hash  how many templates all owners have, and their bytes
local function sizesKey(owner) return prefix .. 'template-sizes:' .. owner end
local function sizeOf(owner, name) return tonumber(redis.call('HGET', sizesKey(owner), name)) end
local function shareOf(owner)
  local count, bytes = 0, 0
  for _, size in ipairs(redis.call('HVALS', sizesKey(owner))) do
    count = count + 1
    bytes = bytes + tonumber(size)
  end
  return count, bytes
end
local function totals()
  local count, bytes = unpack(redis.call('HMGET', prefix .. 'template-totals', 'count', 'bytes'))
  return tonumber(count or '0'), tonumber(bytes or '0')
end
local function add(count, bytes)
  redis.call('HINCRBY', prefix .. 'template-totals', 'count', count)
  redis.call('HINCRBY', prefix .. 'template-totals', 'bytes', bytes)
end
