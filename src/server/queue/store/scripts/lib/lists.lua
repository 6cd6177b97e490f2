-- The keys of the whole queue, and of what type each is.
local lists = {
  keys = 'hash', weights = 'hash', turns = 'hash', prompts = 'hash', damaged = 'hash',
  servers = 'hash', modes = 'hash', away = 'hash', loaded = 'hash', tally = 'hash', givenUp = 'hash',
  jobs = 'zset', tenants = 'zset', open = 'zset', delayed = 'zset', unknown = 'zset', ended = 'zset', files = 'zset',
  virtual = 'string', paused = 'string', draining = 'string', over = 'string',
  workers = 'set', runs = 'stream',
}
local function isOther(name, kind)
  local found = redis.call('TYPE', prefix .. name).ok
  return found ~= kind and found ~= 'none'
end
local function mustBe(name, kind)
  if isOther(name, kind) then error({ err = 'WRONGTYPE ' .. prefix .. name .. ' holds something else than its queue' }) end
end
