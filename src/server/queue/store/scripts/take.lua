-- Gives a slot token its job, and the job its next holder: its fence grows. Gives the id and the fields of the job, or nothing where none
-- waits.
--
-- A slot token that has a job keeps it, as the slot token of a worker that died. Else it gets the best one: one that the service may have, as that
-- uses a slot of the account already; else of the tenant with the least virtual
-- finish time, which grows by 1 / weight with each job; within the tenant by priority, then age. A job whose own slot token this is and that
-- was delayed waits from now on.
--
-- No job begins beyond the slots of the account, also where the limit of the slot tokens was lost with its key. The slot token ends then, and a
-- worker's maintenance adds another one.
--
-- A server that takes no writes gives no job, so that what waits is not held without a submission.
--
-- A worker whose lock on the slot token is over gets nothing: the slot token may be another one's, or gone, and then no slot is the job's.
--
-- KEYS[1] the prefix of job:ID, delayed, open, waiting:TENANT, virtual, weights, tenants, turns, probe,
--   slots, foreign
-- ARGV[1] the slot token, which is the id of the job that it was made for
-- ARGV[2] the worker
-- ARGV[3] how many slots there are where the server does not know, or an empty text
-- ARGV[4] the key of the lock on the slot token, or absent
-- ARGV[5] the token of the lock
-- @include whole-lists
local turn, worker, known, lock, token = unpack(ARGV)
if lock and redis.call('GET', lock) ~= token then return {} end
probe()
if redis.pcall('HGET', jobKey(turn), 'phase') == 'delayed' then
  redis.call('ZREM', prefix .. 'delayed', turn)
  enqueue(turn)
end
local id = redis.call('HGET', prefix .. 'turns', turn)
if id and (not isJob(id) or redis.call('HGET', jobKey(id), 'phase') ~= 'held') then id = false end
if not id then
  local slots = numberIn('slots') or tonumber(known)
  local foreign = numberIn('foreign') or 0
  local held = redis.call('HLEN', prefix .. 'turns') - redis.call('HEXISTS', prefix .. 'turns', turn)
  if slots and held >= slots - foreign then return {} end
end
while not id do
  id = redis.call('ZPOPMIN', prefix .. 'open')[1]
  if not id then
    local first = redis.call('ZRANGE', prefix .. 'tenants', 0, 0, 'WITHSCORES')
    local tenant = first[1]
    if not tenant then
      redis.call('HDEL', prefix .. 'turns', turn)
      return {}
    end
    local member = redis.call('ZPOPMIN', tenantKey(tenant))[1]
    id = member and string.sub(member, 18)
    local finish = tonumber(first[2])
    redis.call('SET', prefix .. 'virtual', string.format('%.17g', finish))
    if redis.call('EXISTS', tenantKey(tenant)) == 0 then
      redis.call('ZREM', prefix .. 'tenants', tenant)
    else
      redis.call('ZADD', prefix .. 'tenants', string.format('%.17g', finish + 1 / weightOf(tenant)), tenant)
    end
  end
  if id and not isJob(id) then id = false end
  if id then redis.call('HSET', prefix .. 'turns', turn, id) end
end
redis.call('HSET', jobKey(id), 'phase', 'held', 'turn', turn, 'worker', worker)
growFence(id)
changed(id)
return { id, nowMs(), redis.call('HGETALL', jobKey(id)) }
