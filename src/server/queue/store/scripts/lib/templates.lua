-- The templates of a gateway's callers, beside its records:
--
--   templates:OWNER        hash  without their workflows, as JSON, by name
--   template-bodies:OWNER  hash  their workflows, as JSON, by name
--   template-sizes:OWNER   hash  the bytes of both, by name
--   template-totals        hash  how many templates all owners have, and their bytes
local function sizesKey(owner) return prefix .. 'template-sizes:' .. owner end
local function sizeOf(owner, name)
  local size = redis.call('HGET', sizesKey(owner), name)
  return size and whole(size)
end
local function shareOf(owner)
  local count, bytes = 0, 0
  for _, size in ipairs(redis.call('HVALS', sizesKey(owner))) do
    count = count + 1
    bytes = bytes + whole(size)
  end
  return count, bytes
end
local function totals()
  local count, bytes = unpack(redis.call('HMGET', prefix .. 'template-totals', 'count', 'bytes'))
  return whole(count), whole(bytes)
end
local function add(count, bytes)
  local allCount, allBytes = totals()
  redis.call('HSET', prefix .. 'template-totals', 'count', string.format('%d', allCount + count), 'bytes',
    string.format('%d', allBytes + bytes))
end
