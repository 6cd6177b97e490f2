-- Keeps a worker over servers alive with what it reports of them, has the jobs of workers that have died wait again, and gives what the
-- choice of jobs needs.
--
-- A job whose worker died goes to its server's `open` where that may have it, and else waits as before: nothing was sent. So does one that this
-- worker holds and does not run: the answer that gave it the job never came, or the job could not be left. A server that no living worker reaches
-- is unreachable from then on; one that is down may lack the files that it had.
--
-- Gives the moment, whether the queue is paused, what living workers report, what is known of the servers, the jobs that this worker holds,
-- how many jobs wait, and of the first of them, in the order of their turns: id, what they ask of a server, since when they wait, which
-- servers refused them, and how often they ran.
--
-- KEYS[1] the prefix of workers, worker:ID, servers, modes, away, on:SERVER, loaded, tally, open:SERVER, delayed, turns,
--   job:ID, tenants, waiting:TENANT, virtual, weights, paused, over, has:SERVER
-- ARGV[1] the worker
-- ARGV[2] for how many milliseconds it counts as alive from now on
-- ARGV[3] what it reports of each of its servers, as JSON
-- ARGV[4] the most jobs that are given
-- ARGV[5] after how many milliseconds a server that no worker has brought is forgotten
-- ARGV[6] the jobs that the worker runs, as JSON; absent: whichever it holds
-- @flags allow-oom
-- @include whole-lists
-- @include reports
local worker, aliveMs, report = ARGV[1], ARGV[2], ARGV[3]
local most = tonumber(ARGV[4])
local now = nowMs()
redis.call('SET', prefix .. 'over', 'servers')
redis.call('SADD', prefix .. 'workers', worker)
redis.call('SET', workerKey(worker), report, 'PX', aliveMs)
for _, id in ipairs(redis.call('ZRANGEBYSCORE', prefix .. 'delayed', 0, now, 'LIMIT', 0, 200)) do
  redis.call('ZREM', prefix .. 'delayed', id)
  if isJob(id) then enqueue(id) end
end
local living, reached, brought, down = {}, {}, {}, {}
-- What has not changed is not written.
local known, away = fieldsOf('servers'), fieldsOf('away')
local reports = reportsNow()
for _, one in ipairs(reports) do
  living[one[1]] = true
  for server, given in pairs(decoded(one[2])) do
    local facts = type(given) == 'table' and given or {}
    brought[server] = true
    if facts.isUp then reached[server] = true end
    if facts.health == 'down' then down[server] = true end
    local text = one[1] == worker and cjson.encode(facts)
    if text and known[server] ~= text then
      redis.call('HSET', prefix .. 'servers', server, text)
      known[server] = text
    end
  end
end
for _, one in ipairs(redis.call('SMEMBERS', prefix .. 'workers')) do
  if not living[one] then redis.call('SREM', prefix .. 'workers', one) end
end
local own = {}
local runs = false
if ARGV[6] then
  runs = {}
  for _, id in ipairs(cjson.decode(ARGV[6])) do runs[id] = true end
end
for _, id in ipairs(redis.call('HKEYS', prefix .. 'turns')) do
  if not isJob(id) then redis.call('HDEL', prefix .. 'turns', id) end
  local holder = redis.call('HGET', jobKey(id), 'worker')
  local isLeft = holder and (not living[holder] or (holder == worker and runs and not runs[id]))
  if holder == worker and not isLeft then own[#own + 1] = id end
  if isLeft then
    redis.call('HDEL', prefix .. 'turns', id)
    redis.call('HDEL', jobKey(id), 'turn', 'worker')
    growFence(id)
    enqueue(id)
  end
end
for server in pairs(known) do
  if reached[server] then
    if away[server] then redis.call('HDEL', prefix .. 'away', server) end
  else
    if not away[server] then redis.call('HSET', prefix .. 'away', server, now) end
    if down[server] then redis.call('DEL', prefix .. 'has:' .. server) end
    local since = tonumber(away[server] or now)
    local isEmpty = redis.call('EXISTS', slotsKey(server), openKey(server)) == 0
    if not brought[server] and isEmpty and now - since > tonumber(ARGV[5]) then
      redis.call('HDEL', prefix .. 'servers', server)
      redis.call('HDEL', prefix .. 'away', server)
      redis.call('HDEL', prefix .. 'loaded', server)
    end
  end
end
local waiting, tenants = 0, {}
for index, tenant in ipairs(redis.call('ZRANGE', prefix .. 'tenants', 0, -1)) do
  waiting = waiting + redis.call('ZCARD', tenantKey(tenant))
  if index <= most then
    local finish = tonumber(redis.call('ZSCORE', prefix .. 'tenants', tenant))
    tenants[#tenants + 1] = { name = tenant, finish = finish, step = 1 / weightOf(tenant), at = 0 }
  end
end
local first = {}
while #first < most and #tenants > 0 do
  local best = 1
  for index, tenant in ipairs(tenants) do
    if tenant.finish < tenants[best].finish then best = index end
  end
  local tenant = tenants[best]
  local member = redis.call('ZRANGE', tenantKey(tenant.name), tenant.at, tenant.at)[1]
  if member then
    local id = string.sub(member, 18)
    local isThere = isJob(id)
    local work, since, refused, reruns = unpack(redis.call('HMGET', jobKey(id), 'work', 'createdAt', 'refusedBy', 'reruns'))
    if isThere then
      first[#first + 1] = { id, work or '', since or '0', refused or '', reruns or '0' }
      tenant.at = tenant.at + 1
    else
      redis.call('ZREM', tenantKey(tenant.name), member)
    end
    tenant.finish = tenant.finish + tenant.step
  else
    table.remove(tenants, best)
  end
end
return { now, redis.call('EXISTS', prefix .. 'paused'), reports, serversNow(), own, waiting, first }
