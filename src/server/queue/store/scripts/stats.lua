-- Gives how many jobs wait, are delayed, held, unknown and ended; whether the queue drains; why it is paused; how many slots it has, and
-- how many of them jobs of other programs use; how many records could not be read; and with what words the server takes no writes, or
-- an empty text.
--
-- @include reports
--
-- KEYS[1] the prefix of open, tenants, waiting:TENANT, delayed, turns, unknown, ended, draining, paused, slots,
--   foreign, damaged, probe, servers, over, workers
local waiting = redis.call('ZCARD', prefix .. 'open')
for _, tenant in ipairs(redis.call('ZRANGE', prefix .. 'tenants', 0, -1)) do
  waiting = waiting + redis.call('ZCARD', tenantKey(tenant))
end
for _, server in ipairs(redis.call('HKEYS', prefix .. 'servers')) do
  waiting = waiting + redis.call('ZCARD', openKey(server))
end
local slots = numberIn('slots') or 1
if redis.call('EXISTS', prefix .. 'over') == 1 then slots = slotsOfServers() end
return {
  waiting, redis.call('ZCARD', prefix .. 'delayed'), redis.call('HLEN', prefix .. 'turns'),
  redis.call('ZCARD', prefix .. 'unknown'), redis.call('ZCARD', prefix .. 'ended'),
  redis.call('EXISTS', prefix .. 'draining'), redis.call('GET', prefix .. 'paused') or '',
  slots, numberIn('foreign') or 0,
  redis.call('HLEN', prefix .. 'damaged'),
  refusal(),
}
