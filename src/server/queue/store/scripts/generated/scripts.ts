/*
 * Made by `npm run generate` from the files of Lua in the folder above. Change those, not this file.
 */
import { script } from '../../script.js';

const hold = `local function hold(id, worker, aliveMs, server, expected)
  redis.call('HSET', prefix .. 'turns', id, id)
  redis.call('HSET', jobKey(id), 'phase', 'held', 'turn', id, 'worker', worker)
  growFence(id)
  if server ~= '' then
    redis.call('HSET', jobKey(id), 'server', server)
    redis.call('HSET', slotsKey(server), id, cjson.encode({ at = nowMs(), ms = tonumber(expected) }))
  end
  redis.call('PEXPIRE', workerKey(worker), aliveMs)
  changed(id)
  return { id, nowMs(), redis.call('HGETALL', jobKey(id)) }
end
`;

const lists = `local lists = {
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
`;

const logs = `local function headOf(owner) return prefix .. 'log:' .. owner end
local function streamOf(owner) return prefix .. 'events:' .. owner end
local function jobStreamOf(owner, job) return prefix .. 'events-of:' .. cjson.encode({ owner, job }) end
local function isLog(key, kind)
  local found = redis.call('TYPE', key).ok
  if found == kind or found == 'none' then return true end
  local name = string.sub(key, #prefix + 1)
  redis.call('RENAME', key, prefix .. 'damaged:' .. name)
  redis.call('HSETNX', prefix .. 'damaged', name, '')
  return false
end
local function lastIn(stream)
  if redis.call('EXISTS', stream) == 0 then return 0 end
  local info = redis.pcall('XINFO', 'STREAM', stream)
  for index = 1, info.err and 0 or #info, 2 do
    if info[index] == 'last-generated-id' then return tonumber(string.match(info[index + 1], '^%d+')) end
  end
  return 0
end
local function lastOf(owner, text)
  if text and #text < 16 and string.match(text, '^%d+$') then return tonumber(text) end
  return lastIn(streamOf(owner))
end
local function openLog(owner, newEpoch)
  isLog(headOf(owner), 'hash')
  redis.call('HSETNX', headOf(owner), 'epoch', newEpoch)
  local epoch, last = unpack(redis.call('HMGET', headOf(owner), 'epoch', 'last'))
  return epoch, lastOf(owner, last)
end
`;

const prelude = `local prefix = KEYS[1]
local function jobKey(id) return prefix .. 'job:' .. id end
local function imagesKey(id) return prefix .. 'images:' .. id end
local function tenantKey(tenant) return prefix .. 'waiting:' .. tenant end
local function openKey(server) return prefix .. 'open' .. (server and ':' .. server or '') end
local function slotsKey(server) return prefix .. 'on:' .. server end
local function fileKey(hash) return prefix .. 'file:' .. hash end
local function fileJobsKey(hash) return prefix .. 'file-jobs:' .. hash end
local function workerKey(worker) return prefix .. 'worker:' .. worker end
local function nowMs()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end
local function decoded(text)
  local isRead, value = pcall(cjson.decode, text or '')
  return isRead and type(value) == 'table' and value or {}
end
local function whole(text)
  local number = tonumber(text or '')
  return number and number > -1e15 and number < 1e15 and math.floor(number) or 0
end
local function numberIn(name)
  local text = redis.pcall('GET', prefix .. name)
  return type(text) == 'string' and string.match(text, '^%-?%d+$') and tonumber(text) or nil
end
local function addTo(name, more, from)
  local sum = redis.pcall('INCRBY', prefix .. name, more)
  if type(sum) ~= 'table' then return sum end
  redis.call('SET', prefix .. name, string.format('%d', from + more))
  return from + more
end
local function nextSeq()
  local newest = redis.call('ZREVRANGE', prefix .. 'jobs', 0, 0, 'WITHSCORES')
  return addTo('seq', 1, whole(newest[2]))
end
local function weightOf(tenant)
  local weight = tonumber(redis.call('HGET', prefix .. 'weights', tenant) or '1')
  return weight and weight > 0 and weight or 1
end
local function isJob(id)
  local kind = redis.call('TYPE', jobKey(id)).ok
  if kind == 'hash' or kind == 'none' then return true end
  redis.call('RENAME', jobKey(id), prefix .. 'damaged:job:' .. id)
  redis.call('HSETNX', prefix .. 'damaged', 'job:' .. id, '')
  return false
end
local function countMore(id, field, more)
  local counted = redis.pcall('HINCRBY', jobKey(id), field, more)
  if type(counted) == 'table' then redis.call('HSET', jobKey(id), field, more) end
end
local function growFence(id)
  local grown = redis.pcall('HINCRBY', jobKey(id), 'fence', 1)
  if type(grown) == 'table' then redis.call('HSET', jobKey(id), 'fence', string.format('%.0f', nowMs())) end
end
local function probe() redis.call('SET', prefix .. 'probe', '1', 'PX', 60000) end
local function refusal()
  local answer = redis.pcall('SET', prefix .. 'probe', '1', 'PX', 60000)
  return answer.err or ''
end
local function changed(id) redis.pcall('PUBLISH', prefix .. 'changed', id) end
local function freeSlot(id)
  local server = redis.call('HGET', jobKey(id), 'server')
  if server then redis.call('HDEL', slotsKey(server), id) end
end
local function enqueue(id)
  local tenant, priority, seq, intent, promptId, server =
    unpack(redis.call('HMGET', jobKey(id), 'tenant', 'priority', 'seq', 'intent', 'promptId', 'server'))
  tenant = tenant or ''
  redis.call('HSET', jobKey(id), 'phase', 'waiting')
  changed(id)
  if intent or promptId then
    redis.call('ZADD', openKey(server), whole(seq), id)
    return
  end
  freeSlot(id)
  redis.call('HDEL', jobKey(id), 'server')
  local rank = tonumber(priority or '')
  redis.call('ZADD', tenantKey(tenant), rank and rank == rank and -rank or 0, string.format('%016d', whole(seq)) .. ':' .. id)
  local now = tonumber(redis.call('GET', prefix .. 'virtual') or '0') or 0
  redis.call('ZADD', prefix .. 'tenants', 'NX', string.format('%.17g', now + 1 / weightOf(tenant)), tenant)
end
local function enlistEnded(id, now)
  local logged = whole(redis.call('HGET', jobKey(id), 'logBytes'))
  local images = whole(redis.call('HGET', jobKey(id), 'imageBytes'))
  local packed = redis.pcall('STRLEN', prefix .. 'workflow:' .. id)
  local bytes = (type(packed) == 'number' and packed or 0) + 2 * logged + images
  redis.call('HSET', jobKey(id), 'bytes', bytes)
  addTo('endedBytes', bytes, 0)
  redis.call('ZADD', prefix .. 'ended', now, id)
  local files = redis.call('HGET', jobKey(id), 'files')
  for _, hash in ipairs(decoded(files)) do
    redis.call('SREM', fileJobsKey(hash), id)
    redis.call('ZADD', prefix .. 'files', 'XX', now, hash)
  end
  changed(id)
end
local function delistEnded(id)
  if redis.call('ZREM', prefix .. 'ended', id) == 0 then return end
  addTo('endedBytes', -whole(redis.call('HGET', jobKey(id), 'bytes')), 0)
end
local function dequeue(id)
  local tenant, seq = unpack(redis.call('HMGET', jobKey(id), 'tenant', 'seq'))
  tenant = tenant or ''
  redis.call('ZREM', tenantKey(tenant), string.format('%016d', whole(seq)) .. ':' .. id)
  if redis.call('EXISTS', tenantKey(tenant)) == 0 then redis.call('ZREM', prefix .. 'tenants', tenant) end
end
`;

const records = `local function ownerKey(owner) return prefix .. 'jobs-of:' .. owner end
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
local function isLater(id)
  local format = redis.pcall('HGET', jobKey(id), 'format')
  return type(format) == 'string' and tonumber(format) ~= nil and tonumber(format) > 1
end
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
`;

const reports = `local function reportsNow()
  local reports = {}
  for _, worker in ipairs(redis.call('SMEMBERS', prefix .. 'workers')) do
    local text = redis.call('GET', workerKey(worker))
    if text then reports[#reports + 1] = { worker, text } end
  end
  return reports
end
local function slotsOfServers()
  local slots, all = {}, 0
  for _, report in ipairs(reportsNow()) do
    for server, facts in pairs(decoded(report[2])) do
      local own = type(facts) == 'table' and tonumber(facts.slots) or 0
      slots[server] = math.min(slots[server] or own, own)
    end
  end
  for _, count in pairs(slots) do all = all + count end
  return all
end
local function fieldsOf(key)
  local all, flat = {}, redis.call('HGETALL', prefix .. key)
  for at = 1, #flat, 2 do all[flat[at]] = flat[at + 1] end
  return all
end
local function serversNow()
  local all, known = {}, redis.call('HGETALL', prefix .. 'servers')
  if #known == 0 then return all end
  local modes, away, loaded, tally = fieldsOf('modes'), fieldsOf('away'), fieldsOf('loaded'), fieldsOf('tally')
  for at = 1, #known, 2 do
    local server = known[at]
    all[#all + 1] = {
      server,
      known[at + 1],
      modes[server] or '',
      away[server] or '',
      redis.call('HGETALL', slotsKey(server)),
      loaded[server] or '',
      tally['done ' .. server] or '0',
      tally['failed ' .. server] or '0',
      tally['lost ' .. server] or '0',
      tally['late ' .. server] or '0',
      redis.call('ZCARD', openKey(server)),
    }
  end
  return all
end
`;

const templates = `local function sizesKey(owner) return prefix .. 'template-sizes:' .. owner end
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
`;

const appendEvents = `${logs}local function addEntry(owner, job, last, event)
  local own, ofJob = streamOf(owner), jobStreamOf(owner, job)
  local id = string.format('%d-0', last + 1)
  local added = redis.pcall('XADD', ofJob, id, 'job', job, 'event', event)
  if type(added) ~= 'table' then
    added = redis.pcall('XADD', own, id, 'job', job, 'event', event)
    if type(added) ~= 'table' then return last + 1 end
    redis.call('XDEL', ofJob, id)
  end
  local top = math.max(lastIn(own), lastIn(ofJob))
  if top <= last then error(added) end
  return addEntry(owner, job, top, event)
end
local function appendEvents(owner, job, newEpoch, process, events)
  local epoch, last = openLog(owner, newEpoch)
  isLog(streamOf(owner), 'stream')
  isLog(jobStreamOf(owner, job), 'stream')
  local ids = {}
  for _, event in ipairs(events) do
    last = addEntry(owner, job, last, event)
    ids[#ids + 1] = epoch .. '-' .. string.format('%d', last)
  end
  redis.call('HSET', headOf(owner), 'last', string.format('%d', last))
  redis.pcall('PUBLISH', prefix .. 'appended', cjson.encode({ process, owner, job }))
  return ids
end
`;

const ownerLog = `${logs}local owner = ARGV[1]
local headKey = headOf(owner)
local ownerKey = streamOf(owner)
local function eventsKey(job) return jobStreamOf(owner, job) end
local function open(newEpoch) return openLog(owner, newEpoch) end
`;

const wholeLists = `${lists}for name, kind in pairs(lists) do mustBe(name, kind) end
`;

export const acquireLeasesScript =
  script(`#!lua flags=allow-oom\n${prelude}${records}local now, ids = nowMs(), {}
for _, id in ipairs(redis.call('ZRANGEBYSCORE', prefix .. 'open', '-inf', now)) do
  if isRecord(id) and not isLater(id) then
    redis.call('HSET', jobKey(id), 'process', ARGV[1])
    redis.call('ZADD', prefix .. 'open', now + tonumber(ARGV[2]), id)
    ids[#ids + 1] = id
  end
end
return fieldsOf(ids)
`);

export const addRecordScript =
  script(`${prelude}${records}local id, owner, key, record, createdAt, expiresAt, process, forMs, most, maxBytes, maxOwn =
  unpack(ARGV)
if key ~= '' then
  local used = redis.call('GET', useKey(owner, key))
  -- The same call, sent again because its answer was lost.
  if used == id then return { 'added', {} } end
  if used then return { 'used', fieldsOf({ used }) } end
end
if redis.call('EXISTS', jobKey(id)) == 1 then return { 'added', {} } end
local surplus = redis.call('ZCARD', prefix .. 'jobs') + 1 - tonumber(most)
local bytes = (numberIn('bytes') or 0) + #record - tonumber(maxBytes)
local evicted, taken, counts, sizes = {}, {}, {}, {}
local function evict(of)
  for _, ended in ipairs(redis.call('ZRANGE', ownerKey(of), 0, -1)) do
    if not taken[ended] and redis.call('ZSCORE', prefix .. 'ended', ended) and isRecord(ended) and not isLater(ended) then
      local size = tonumber(redis.call('HGET', jobKey(ended), 'size')) or 0
      taken[ended] = true
      evicted[#evicted + 1] = ended
      surplus, bytes = surplus - 1, bytes - size
      counts[of], sizes[of] = (counts[of] or 0) + 1, (sizes[of] or 0) + size
      return true
    end
  end
  return false
end
local ownBytes = tonumber(redis.call('ZSCORE', prefix .. 'shares', owner) or '0') + #record
while maxOwn ~= '' and ownBytes - (sizes[owner] or 0) > tonumber(maxOwn) do
  if not evict(owner) then return { 'owner', {} } end
end
if surplus > 0 or bytes > 0 then
  local shares, without = redis.call('ZRANGE', prefix .. 'shares', 0, -1, 'WITHSCORES'), {}
  while surplus > 0 or bytes > 0 do
    local biggest, most
    for index = 1, #shares, 2 do
      local of = shares[index]
      local has = surplus > 0 and redis.call('ZCARD', ownerKey(of)) - (counts[of] or 0)
        or tonumber(shares[index + 1]) - (sizes[of] or 0)
      if not without[of] and (not most or has > most or (has == most and of > biggest)) then
        biggest, most = of, has
      end
    end
    if not biggest then return { 'all', {} } end
    if not evict(biggest) then without[biggest] = true end
  end
end
local forgotten = fieldsOf(evicted)
for _, ended in ipairs(evicted) do forget(ended) end
if key ~= '' then redis.call('SET', useKey(owner, key), id) end
local seq = nextSeq()
redis.call('HSET', jobKey(id), 'record', record, 'size', #record, 'owner', owner, 'key', key, 'createdAt', createdAt,
  'maxOwn', maxOwn, 'expiresAt', expiresAt, 'process', process, 'seq', seq, 'format', 1)
addTo('bytes', #record, 0)
redis.call('ZINCRBY', prefix .. 'shares', #record, owner)
redis.call('ZADD', prefix .. 'jobs', seq, id)
redis.call('ZADD', ownerKey(owner), seq, id)
redis.call('ZADD', prefix .. 'open', nowMs() + tonumber(forMs), id)
return { 'added', forgotten }
`);

export const addScript = script(`${prelude}${wholeLists}${appendEvents}local epoch, process = ARGV[1], ARGV[2]
local now = nowMs()
if redis.call('EXISTS', prefix .. 'draining') == 1 then return { {}, now } end
local function known(id, tenant, key)
  local used = key ~= '' and redis.call('HGET', prefix .. 'keys', cjson.encode({ tenant, key }))
  if used then return used end
  return redis.call('HEXISTS', jobKey(id), 'phase') == 1 and id
end
local function hashesIn(files) return decoded(files) end
local function add(id, tenant, priority, key, delayMs, packed, work, files, events)
  local before = known(id, tenant, key)
  if before then return before end
  -- The key belongs to the call that adds the job, and is forgotten with it.
  if key ~= '' then
    redis.call('HSET', prefix .. 'keys', cjson.encode({ tenant, key }), id)
    redis.call('HSET', jobKey(id), 'key', key)
  end
  local seq = nextSeq()
  redis.call('HSET', jobKey(id), 'phase', 'delayed', 'tenant', tenant, 'priority', priority, 'seq', seq,
    'fence', 0, 'createdAt', now, 'format', 1)
  if work ~= '' then redis.call('HSET', jobKey(id), 'work', work) end
  if files ~= '' then redis.call('HSET', jobKey(id), 'files', files) end
  for _, hash in ipairs(hashesIn(files)) do
    redis.call('SADD', fileJobsKey(hash), id)
    redis.call('ZADD', prefix .. 'files', now, hash)
  end
  redis.call('SET', prefix .. 'workflow:' .. id, packed)
  redis.call('ZADD', prefix .. 'jobs', seq, id)
  if delayMs == '' then
    enqueue(id)
  else
    redis.call('HSET', jobKey(id), 'due', now + tonumber(delayMs))
    redis.call('ZADD', prefix .. 'delayed', now + tonumber(delayMs), id)
    changed(id)
  end
  for _, event in ipairs(events) do redis.call('HINCRBY', jobKey(id), 'logBytes', #event) end
  if #events > 0 then appendEvents(tenant, id, epoch, process, events) end
  return id
end
local at, jobs = 3, {}
while at <= #ARGV do
  local count = tonumber(ARGV[at + 8])
  local job = { unpack(ARGV, at, at + 7) }
  job.events = { unpack(ARGV, at + 9, at + 8 + count) }
  jobs[#jobs + 1] = job
  at = at + 9 + count
end
for number, job in ipairs(jobs) do
  mustBe('waiting:' .. job[2], 'zset')
  for _, hash in ipairs(known(job[1], job[2], job[4]) and {} or hashesIn(job[8])) do
    if redis.call('EXISTS', fileKey(hash)) == 0 then return { {}, now, number, hash } end
  end
end
local ids = {}
for number, job in ipairs(jobs) do
  ids[number] = add(job[1], job[2], job[3], job[4], job[5], job[6], job[7], job[8], job.events)
end
return { ids, now }
`);

export const againScript =
  script(`#!lua flags=allow-oom\n${prelude}${wholeLists}${appendEvents}local id, server, fence, awayMs, epoch, event, why, reason = unpack(ARGV)
local phase, own, at, promptId, tenant, refused, intent =
  unpack(redis.call('HMGET', jobKey(id), 'phase', 'fence', 'server', 'promptId', 'tenant', 'refusedBy', 'intent'))
if at ~= server then return 0 end
if fence ~= '' then
  if phase ~= 'held' or own ~= fence then return 0 end
else
  local since = redis.call('HGET', prefix .. 'away', server)
  if not since or nowMs() - tonumber(since) < tonumber(awayMs) then return 0 end
  if phase ~= 'held' and phase ~= 'waiting' then return 0 end
  local late = promptId or decoded(intent).submissionId
  if type(late) == 'string' then
    redis.call('HSET', prefix .. 'givenUp', late, server)
    redis.call('HSET', slotsKey(server), 'late:' .. late, cjson.encode({ at = nowMs(), ms = 0 }))
  end
end
freeSlot(id)
redis.call('HDEL', prefix .. 'turns', id)
redis.call('ZREM', openKey(server), id)
redis.call('HDEL', jobKey(id), 'intent', 'promptId', 'turn', 'worker', 'progress')
growFence(id)
if #ARGV > 8 then
  local all = decoded(refused)
  for index = 9, #ARGV do all[ARGV[index]] = reason end
  redis.call('HSET', jobKey(id), 'refusedBy', cjson.encode(all))
end
if why ~= 'refused' then countMore(id, 'reruns', 1) end
if why == 'lost' then redis.pcall('HINCRBY', prefix .. 'tally', 'lost ' .. server, 1) end
if event ~= '' then
  countMore(id, 'logBytes', #event)
  appendEvents(tenant or '', id, epoch, 'again', { event })
end
enqueue(id)
return 1
`);

export const answeredScript =
  script(`#!lua flags=allow-oom\n${prelude}${wholeLists}local id, submissionId, promptId = unpack(ARGV)
local text, known, phase = unpack(redis.call('HMGET', jobKey(id), 'intent', 'promptId', 'phase'))
if not text or decoded(text).submissionId ~= submissionId then return false end
if known then return known end
if redis.call('HSETNX', prefix .. 'prompts', promptId, id) == 0 then return false end
redis.call('HSET', jobKey(id), 'promptId', promptId)
changed(id)
if phase == 'unknown' then
  redis.call('HDEL', jobKey(id), 'endedAt', 'reason', 'outcome')
  redis.call('ZREM', prefix .. 'unknown', id)
  enqueue(id)
end
return promptId
`);

export const appendHeldScript =
  script(`#!lua flags=allow-oom\n${prelude}${appendEvents}local owner, job, token = ARGV[1], ARGV[2], prefix .. 'appended:' .. ARGV[4]
local known = redis.call('GET', token)
if known then return tonumber(known) end
local phase, fence, bytes = unpack(redis.call('HMGET', jobKey(job), 'phase', 'fence', 'logBytes'))
if phase ~= 'held' or fence ~= ARGV[6] then return 0 end
local total, kept = whole(bytes), {}
for index = 9, #ARGV do
  local size = #ARGV[index]
  if total + size <= tonumber(ARGV[7]) or (ARGV[8] == '1' and index == #ARGV) then
    total = total + size
    kept[#kept + 1] = ARGV[index]
  end
end
redis.call('HSET', jobKey(job), 'logBytes', total)
appendEvents(owner, job, ARGV[3], ARGV[5], kept)
local result = #kept == #ARGV - 8 and 1 or 2
redis.call('SET', token, result, 'EX', 600)
return result
`);

export const appendScript =
  script(`#!lua flags=allow-oom\n${prelude}${appendEvents}local token = prefix .. 'appended:' .. ARGV[4]
local known = redis.call('GET', token)
if known then return cjson.decode(known) end
local ids = appendEvents(ARGV[1], ARGV[2], ARGV[3], ARGV[5], { unpack(ARGV, 6) })
redis.call('SET', token, cjson.encode(ids), 'EX', 600)
return ids
`);

export const cancelScript =
  script(`#!lua flags=allow-oom\n${prelude}${wholeLists}${appendEvents}local id = ARGV[1]
local phase, intent, promptId = unpack(redis.call('HMGET', jobKey(id), 'phase', 'intent', 'promptId'))
if phase == 'held' or (phase == 'waiting' and (intent or promptId)) then
  if redis.call('HSETNX', jobKey(id), 'cancelRequestedAt', nowMs()) == 1 then
    countMore(id, 'logBytes', #ARGV[3])
    appendEvents(redis.call('HGET', jobKey(id), 'tenant') or '', id, ARGV[2], 'cancel', { ARGV[3] })
  end
  redis.pcall('PUBLISH', prefix .. 'cancel', id)
elseif phase == 'waiting' or phase == 'delayed' then
  if phase == 'waiting' then dequeue(id) else redis.call('ZREM', prefix .. 'delayed', id) end
  local now = nowMs()
  redis.call('HSET', jobKey(id), 'phase', 'ended', 'reason', 'cancelled', 'outcome', 'cancelled', 'endedAt', now)
  countMore(id, 'logBytes', #ARGV[3] + #ARGV[4])
  enlistEnded(id, now)
  appendEvents(redis.call('HGET', jobKey(id), 'tenant') or '', id, ARGV[2], 'cancel', { ARGV[3], ARGV[4] })
end
return phase
`);

export const clearScript =
  script(`#!lua flags=allow-oom\n${prelude}${wholeLists}${appendEvents}local limit, cleared, now = tonumber(ARGV[1]), 0, nowMs()
local function finish(id)
  cleared = cleared + 1
  if not isJob(id) then return end
  local tenant = redis.call('HGET', jobKey(id), 'tenant')
  redis.call('HSET', jobKey(id), 'phase', 'ended', 'reason', ARGV[2], 'outcome', 'cancelled', 'endedAt', now)
  enlistEnded(id, now)
  appendEvents(tenant or '', id, ARGV[3], 'clear', { ARGV[4] })
end
for _, id in ipairs(redis.call('ZRANGE', prefix .. 'delayed', 0, limit - 1)) do
  redis.call('ZREM', prefix .. 'delayed', id)
  finish(id)
end
while cleared < limit do
  local tenant = redis.call('ZRANGE', prefix .. 'tenants', 0, 0)[1]
  if not tenant then break end
  for _, member in ipairs(redis.call('ZRANGE', tenantKey(tenant), 0, limit - cleared - 1)) do
    redis.call('ZREM', tenantKey(tenant), member)
    finish(string.sub(member, 18))
  end
  if redis.call('EXISTS', tenantKey(tenant)) == 0 then redis.call('ZREM', prefix .. 'tenants', tenant) end
end
return cleared
`);

export const expireFilesScript =
  script(`#!lua flags=allow-oom\n${prelude}local most, age, keepBytes = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local now = nowMs()
for _, hash in ipairs(redis.call('ZRANGE', prefix .. 'files', 0, most - 1)) do
  local usedAt = tonumber(redis.call('ZSCORE', prefix .. 'files', hash))
  if (numberIn('fileBytes') or 0) <= keepBytes and usedAt > now - age then return end
  if redis.call('EXISTS', fileJobsKey(hash)) == 1 then
    redis.call('ZADD', prefix .. 'files', now, hash)
  else
    addTo('fileBytes', -redis.call('STRLEN', fileKey(hash)), 0)
    redis.call('DEL', fileKey(hash))
    redis.call('ZREM', prefix .. 'files', hash)
  end
end
`);

export const expireRecordsScript = script(`#!lua flags=allow-oom\n${prelude}${records}local ids = {}
for _, id in ipairs(redis.call('ZRANGEBYSCORE', prefix .. 'expiring', '-inf', ARGV[1], 'LIMIT', 0, 500)) do
  if isRecord(id) and not isLater(id) then ids[#ids + 1] = id end
end
local all = fieldsOf(ids)
for _, id in ipairs(ids) do forget(id) end
return all
`);

export const expireScript = script(`#!lua flags=allow-oom\n${prelude}${ownerLog}local key = eventsKey(ARGV[2])
isLog(headKey, 'hash')
isLog(key, 'stream')
isLog(ownerKey, 'stream')
local lost = whole(redis.call('HGET', headKey, 'lostTo'))
for _, entry in ipairs(redis.call('XRANGE', key, '-', '+')) do
  redis.call('XDEL', ownerKey, entry[1])
  lost = math.max(lost, tonumber(string.match(entry[1], '^%d+')))
end
if ARGV[3] ~= '1' or redis.call('EXISTS', jobKey(ARGV[2])) == 0 then redis.call('DEL', key) end
if lost > 0 then redis.call('HSET', headKey, 'lostTo', string.format('%d', lost)) end
return 1
`);

export const intendScript = script(`${prelude}local id, fence, text = unpack(ARGV)
local phase, own, known = unpack(redis.call('HMGET', jobKey(id), 'phase', 'fence', 'intent'))
if phase ~= 'held' or own ~= fence then return false end
local intent = cjson.decode(text)
intent.at = nowMs()
intent.since = intent.at
if known then
  local before = decoded(known)
  if before.submissionId == intent.submissionId then intent.since = before.since or intent.since end
end
local kept = cjson.encode(intent)
redis.call('HSET', jobKey(id), 'intent', kept)
return kept
`);

export const leaveScript =
  script(`#!lua flags=allow-oom\n${prelude}${wholeLists}local id, fence, phase, reason, outcome = unpack(ARGV)
local held, own, turn = unpack(redis.call('HMGET', jobKey(id), 'phase', 'fence', 'turn'))
if held ~= 'held' or own ~= fence then return 0 end
redis.call('HDEL', prefix .. 'turns', turn)
redis.call('HDEL', jobKey(id), 'turn', 'worker')
if phase == 'waiting' then
  enqueue(id)
else
  local now = nowMs()
  freeSlot(id)
  redis.call('HSET', jobKey(id), 'phase', phase, 'reason', reason, 'outcome', outcome, 'endedAt', now)
  if phase == 'ended' then
    enlistEnded(id, now)
  else
    redis.call('ZADD', prefix .. phase, now, id)
    changed(id)
  end
end
return 1
`);

export const mendQueueScript = script(`${prelude}${lists}local aside = 0
local function setAside(name, kind)
  if not isOther(name, kind) then return end
  aside = aside + 1
  if name ~= 'damaged' then redis.call('HSETNX', prefix .. 'damaged', name, '') end
  redis.call('RENAME', prefix .. name, prefix .. 'damaged:' .. name)
  if name == 'damaged' then redis.call('HSETNX', prefix .. 'damaged', name, '') end
end
setAside('damaged', 'hash')
for name, kind in pairs(lists) do setAside(name, kind) end
for _, name in ipairs({ 'seq', 'endedBytes', 'fileBytes', 'slots', 'foreign' }) do setAside(name, 'string') end
if ARGV[1] == '' then return aside end

local kinds = {
  waiting = 'zset', open = 'zset', on = 'hash', has = 'hash', ['file-jobs'] = 'set', file = 'string', worker = 'string', images = 'hash',
}
local ids, known, tenants, hashes = {}, {}, {}, {}
local function know(id)
  if not known[id] and isJob(id) then ids[#ids + 1] = id end
  known[id] = true
end
for _, id in ipairs(redis.call('ZRANGE', prefix .. 'jobs', 0, -1)) do know(id) end
for _, name in ipairs(cjson.decode(ARGV[1])) do
  local kind, rest = string.match(name, '^([%l-]+):(.*)$')
  if kinds[kind] then setAside(name, kinds[kind]) end
  if kind == 'job' then know(rest) end
  if kind == 'waiting' then tenants[#tenants + 1] = rest end
  if kind == 'file' then hashes[#hashes + 1] = rest end
end

local now, bytes = nowMs(), 0
local function enter(list, score, id) redis.call('ZADD', prefix .. list, 'NX', string.format('%d', score), id) end
local function enterHash(list, field, value) redis.call('HSETNX', prefix .. list, field, value) end
local function enterSlot(server, id)
  if server then redis.call('HSETNX', slotsKey(server), id, cjson.encode({ at = now, ms = 0 })) end
end
local function enterWaiting(id, tenant, seq, of)
  if of.intent or of.promptId then
    redis.call('ZADD', openKey(of.server), 'NX', seq, id)
    return enterSlot(of.server, id)
  end
  if not redis.call('ZSCORE', tenantKey(tenant), string.format('%016d', seq) .. ':' .. id) then enqueue(id) end
end
local function enterFiles(id, named)
  for _, hash in ipairs(decoded(named)) do
    redis.call('SADD', fileJobsKey(hash), id)
    enter('files', now, hash)
  end
end
local function seqOf(id)
  local seq = whole(redis.call('HGET', jobKey(id), 'seq'))
  if seq > 0 then return seq end
  seq = nextSeq()
  redis.call('HSET', jobKey(id), 'seq', seq)
  return seq
end
local function place(id)
  local phase, tenant, key, intent, promptId, server, turn, endedAt, due, own, named = unpack(redis.call('HMGET', jobKey(id),
    'phase', 'tenant', 'key', 'intent', 'promptId', 'server', 'turn', 'endedAt', 'due', 'bytes', 'files'))
  if not phase then return end
  tenant = tenant or ''
  local seq = seqOf(id)
  enter('jobs', seq, id)
  if key then enterHash('keys', cjson.encode({ tenant, key }), id) end
  if promptId then enterHash('prompts', promptId, id) end
  if phase ~= 'ended' then enterFiles(id, named) end
  if phase == 'held' and turn then
    enterHash('turns', turn, id)
    enterSlot(server, id)
  elseif phase == 'held' then
    enqueue(id)
  elseif phase == 'waiting' then
    enterWaiting(id, tenant, seq, { intent = intent, promptId = promptId, server = server })
  elseif phase == 'delayed' then
    enter('delayed', due and whole(due) or now, id)
  elseif phase == 'unknown' or phase == 'ended' then
    enter(phase, endedAt and whole(endedAt) or now, id)
    if phase == 'ended' then bytes = bytes + whole(own) end
  end
end
local last = numberIn('seq') or 0
for _, id in ipairs(ids) do last = math.max(last, whole(redis.call('HGET', jobKey(id), 'seq'))) end
redis.call('SET', prefix .. 'seq', string.format('%d', last))
for _, id in ipairs(ids) do place(id) end
redis.call('SET', prefix .. 'endedBytes', string.format('%d', bytes))
local time = tonumber(redis.call('GET', prefix .. 'virtual') or '0') or 0
for _, tenant in ipairs(tenants) do
  if redis.call('EXISTS', tenantKey(tenant)) == 1 then
    redis.call('ZADD', prefix .. 'tenants', 'NX', string.format('%.17g', time + 1 / weightOf(tenant)), tenant)
  end
end
local fileBytes = 0
for _, hash in ipairs(hashes) do
  if redis.call('EXISTS', fileKey(hash)) == 1 then
    enter('files', now, hash)
    fileBytes = fileBytes + redis.call('STRLEN', fileKey(hash))
  end
end
if #hashes > 0 then redis.call('SET', prefix .. 'fileBytes', string.format('%d', fileBytes)) end
return aside
`);

export const mendRecordsScript =
  script(`#!lua flags=allow-oom\n${prelude}${records}${logs}local mended, now = 0, nowMs()
local function setAside(key, kind)
  local found = redis.call('TYPE', key).ok
  if found == 'none' or found == kind then return end
  redis.call('RENAME', key, prefix .. 'damaged:' .. string.sub(key, #prefix + 1))
  mended = mended + 1
end
local function rank(key, id, score)
  if redis.call('ZSCORE', key, id) == score then return end
  redis.call('ZADD', key, score, id)
  mended = mended + 1
end
local function unrank(key, id) mended = mended + redis.call('ZREM', key, id) end
local function isWhole(text) return type(text) == 'string' and #text < 17 and string.match(text, '^%d+$') ~= nil end
local function setNumber(key, number)
  if redis.call('GET', key) == string.format('%d', number) then return end
  redis.call('SET', key, string.format('%d', number))
  mended = mended + 1
end

setAside(prefix .. 'damaged', 'hash')
for _, key in ipairs({ 'seq', 'bytes' }) do setAside(prefix .. key, 'string') end
local lists, known, ids = { 'jobs', 'open', 'ended', 'expiring' }, {}, {}
local function knowJob(id)
  if not known[id] then ids[#ids + 1] = id end
  known[id] = true
end
local function know(key)
  for _, id in ipairs(redis.call('ZRANGE', key, 0, -1)) do knowJob(id) end
end
for _, list in ipairs(lists) do
  setAside(prefix .. list, 'zset')
  know(prefix .. list)
end
setAside(prefix .. 'shares', 'zset')
local owners = {}
local function meet(owner)
  if owners[owner] then return end
  setAside(ownerKey(owner), 'zset')
  owners[owner] = { bytes = 0, ids = {} }
  know(ownerKey(owner))
end
for _, owner in ipairs(redis.call('ZRANGE', prefix .. 'shares', 0, -1)) do meet(owner) end
local kinds = { key = 'string', events = 'stream', ['events-of'] = 'stream', images = 'hash' }
for index = 3, #ARGV do
  local kind, rest = string.match(ARGV[index], '^([%l-]+):(.*)$')
  if kind == 'job' then knowJob(rest) end
  if kind == 'jobs-of' or kind == 'log' then meet(rest) end
  if kinds[kind] then setAside(prefix .. ARGV[index], kinds[kind]) end
end
local at = 1
while ids[at] do
  if isRecord(ids[at]) then meet(redis.call('HGET', jobKey(ids[at]), 'owner')) end
  at = at + 1
end

local unplaced, last, bytes = {}, 0, 0
local function countOf(id, owner)
  local size = redis.call('HGET', jobKey(id), 'size')
  if not isWhole(size) then
    size = string.format('%d', #(redis.call('HGET', jobKey(id), 'record') or ''))
    redis.call('HSET', jobKey(id), 'size', size)
    mended = mended + 1
  end
  owners[owner].bytes, bytes = owners[owner].bytes + tonumber(size), bytes + tonumber(size)
end
local function lease(id)
  local untilMs = tonumber(redis.call('ZSCORE', prefix .. 'open', id) or '')
  if not untilMs or untilMs > now + tonumber(ARGV[2]) then rank(prefix .. 'open', id, '0') end
  unrank(prefix .. 'ended', id)
  unrank(prefix .. 'expiring', id)
end
local function place(id, owner, seq)
  local ended, expires = unpack(redis.call('HMGET', jobKey(id), 'endedAt', 'expiresAt'))
  rank(prefix .. 'jobs', id, seq)
  rank(ownerKey(owner), id, seq)
  if not ended then return lease(id) end
  unrank(prefix .. 'open', id)
  rank(prefix .. 'ended', id, seq)
  if isWhole(expires) then rank(prefix .. 'expiring', id, expires) end
end
local function claim(id, owner)
  local key = redis.call('HGET', jobKey(id), 'key')
  if not key or key == '' then return end
  setAside(useKey(owner, key), 'string')
  local used = redis.call('GET', useKey(owner, key))
  if used == id then return end
  if used and isRecord(used) then
    local itsOwner, itsKey = unpack(redis.call('HMGET', jobKey(used), 'owner', 'key'))
    if itsOwner == owner and itsKey == key then return end
  end
  redis.call('SET', useKey(owner, key), id)
  mended = mended + 1
end
for _, id in ipairs(ids) do
  if isRecord(id) then
    local owner, seq = unpack(redis.call('HMGET', jobKey(id), 'owner', 'seq'))
    owners[owner].ids[#owners[owner].ids + 1] = id
    if not isLater(id) then
      countOf(id, owner)
      claim(id, owner)
      if isWhole(seq) then
        last = math.max(last, tonumber(seq))
        place(id, owner, seq)
      else
        unplaced[#unplaced + 1] = { id, owner }
      end
    end
  end
end
local counted = redis.call('GET', prefix .. 'seq')
if isWhole(counted) then last = math.max(last, tonumber(counted)) end
table.sort(unplaced, function(one, other) return one[1] < other[1] end)
for _, one in ipairs(unplaced) do
  last, mended = last + 1, mended + 1
  redis.call('HSET', jobKey(one[1]), 'seq', string.format('%d', last))
  place(one[1], one[2], string.format('%d', last))
end
if last > 0 or counted then setNumber(prefix .. 'seq', last) end
if bytes > 0 or redis.call('EXISTS', prefix .. 'bytes') == 1 then setNumber(prefix .. 'bytes', bytes) end

local function topOf(key, after)
  local top, info = after, redis.pcall('XINFO', 'STREAM', key)
  for index = 1, info.err and 0 or #info, 2 do
    if info[index] == 'last-generated-id' then top = math.max(top, tonumber(string.match(info[index + 1], '^%d+'))) end
  end
  for _, entry in ipairs(redis.call('XRANGE', key, string.format('(%d-0', after), '+')) do
    top = math.max(top, tonumber(string.match(entry[1], '^%d+')))
  end
  return top
end
local function mendLog(owner, its)
  local head, events = headOf(owner), streamOf(owner)
  setAside(head, 'hash')
  setAside(events, 'stream')
  local epoch, final, lostTo = unpack(redis.call('HMGET', head, 'epoch', 'last', 'lostTo'))
  local before = isWhole(final) and tonumber(final) or 0
  local top = topOf(events, before)
  for _, id in ipairs(its) do
    setAside(jobStreamOf(owner, id), 'stream')
    top = math.max(top, topOf(jobStreamOf(owner, id), before))
  end
  if top == 0 and not epoch then return end
  if not epoch or epoch == '' then redis.call('HSET', head, 'epoch', ARGV[1]) end
  if not isWhole(final) or top > before then redis.call('HSET', head, 'last', string.format('%d', top)) end
  local lost = isWhole(lostTo) and tonumber(lostTo) or 0
  local atTop = string.format('%d-0', top)
  local isThere = top == 0 or #redis.call('XRANGE', events, atTop, atTop) > 0
  if (lostTo and not isWhole(lostTo)) or (not isThere and lost < top) then
    redis.call('HSET', head, 'lostTo', string.format('%d', top))
    mended = mended + 1
  end
  if not epoch or epoch == '' or not isWhole(final) or top > before then mended = mended + 1 end
end
for owner, its in pairs(owners) do
  for _, id in ipairs(redis.call('ZRANGE', ownerKey(owner), 0, -1)) do
    if not isRecord(id) or redis.call('HGET', jobKey(id), 'owner') ~= owner then unrank(ownerKey(owner), id) end
  end
  if redis.call('EXISTS', ownerKey(owner)) == 1 then
    rank(prefix .. 'shares', owner, string.format('%d', its.bytes))
  else
    unrank(prefix .. 'shares', owner)
  end
  mendLog(owner, its.ids)
end
return mended
`);

export const overdueScript =
  script(`${prelude}return redis.call('ZRANGEBYSCORE', prefix .. 'delayed', '-inf', nowMs() - tonumber(ARGV[1]), 'LIMIT', 0, 1000)
`);

export const placeScript =
  script(`${prelude}${wholeLists}${hold}local worker, aliveMs, id, server, slots, expected, models = unpack(ARGV)
probe()
if redis.call('EXISTS', workerKey(worker)) == 0 or redis.call('EXISTS', prefix .. 'paused') == 1 then return {} end
local phase, tenant, intent, promptId = unpack(redis.call('HMGET', jobKey(id), 'phase', 'tenant', 'intent', 'promptId'))
if phase ~= 'waiting' or intent or promptId then return {} end
if server ~= '' then
  if redis.call('HEXISTS', prefix .. 'modes', server) == 1 then return {} end
  if redis.call('HLEN', slotsKey(server)) >= tonumber(slots) then return {} end
end
local first = redis.call('ZRANGE', prefix .. 'tenants', 0, 0, 'WITHSCORES')
local finish = redis.call('ZSCORE', prefix .. 'tenants', tenant)
dequeue(id)
if first[1] == tenant then redis.call('SET', prefix .. 'virtual', string.format('%.17g', tonumber(first[2]))) end
if redis.call('EXISTS', tenantKey(tenant)) == 1 then
  redis.call('ZADD', prefix .. 'tenants', string.format('%.17g', tonumber(finish) + 1 / weightOf(tenant)), tenant)
end
local before = redis.call('HGET', prefix .. 'loaded', server) or ''
if server ~= '' and models ~= '' then redis.call('HSET', prefix .. 'loaded', server, models) end
local held = hold(id, worker, aliveMs, server, expected)
held[4] = before
return held
`);

export const positionScript =
  script(`#!lua flags=allow-oom\n${prelude}${ownerLog}local epoch, last = open(ARGV[2])
return epoch .. '-' .. string.format('%d', math.max(last, lastIn(ownerKey)))
`);

export const probeScript = script(`${prelude}probe()
return 1
`);

export const progressScript = script(`${prelude}local id, fence, progress = unpack(ARGV)
local phase, own = unpack(redis.call('HMGET', jobKey(id), 'phase', 'fence'))
if phase ~= 'held' or own ~= fence then return 0 end
redis.call('HSET', jobKey(id), 'progress', progress)
redis.pcall('PUBLISH', prefix .. 'progress', id .. ' ' .. progress)
return 1
`);

export const pruneScript =
  script(`#!lua flags=allow-oom\n${prelude}${wholeLists}${logs}local limit, keep, age, keepBytes = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local surplus = redis.call('ZCARD', prefix .. 'ended') - keep
local pruned = 0
for index, id in ipairs(redis.call('ZRANGE', prefix .. 'ended', 0, limit - 1)) do
  local endedAt = tonumber(redis.call('ZSCORE', prefix .. 'ended', id))
  local bytes = numberIn('endedBytes') or 0
  if index > surplus and bytes <= keepBytes and endedAt > nowMs() - age then break end
  isJob(id)
  delistEnded(id)
  local tenant, key, promptId = unpack(redis.call('HMGET', jobKey(id), 'tenant', 'key', 'promptId'))
  tenant = tenant or ''
  if key then redis.call('HDEL', prefix .. 'keys', cjson.encode({ tenant, key })) end
  if promptId then redis.call('HDEL', prefix .. 'prompts', promptId) end
  isLog(headOf(tenant), 'hash')
  isLog(jobStreamOf(tenant, id), 'stream')
  isLog(streamOf(tenant), 'stream')
  local lost = whole(redis.call('HGET', headOf(tenant), 'lostTo'))
  for _, entry in ipairs(redis.call('XRANGE', jobStreamOf(tenant, id), '-', '+')) do
    redis.call('XDEL', streamOf(tenant), entry[1])
    lost = math.max(lost, tonumber(string.match(entry[1], '^%d+')))
  end
  if lost > 0 then redis.call('HSET', headOf(tenant), 'lostTo', string.format('%d', lost)) end
  redis.call('DEL', jobKey(id), imagesKey(id), prefix .. 'workflow:' .. id, jobStreamOf(tenant, id))
  redis.call('ZREM', prefix .. 'jobs', id)
  changed(id)
  pruned = pruned + 1
end
return pruned
`);

export const putFileScript = script(`${prelude}local hash, packed = unpack(ARGV)
local isKnown = redis.call('EXISTS', fileKey(hash)) == 1
if not isKnown and packed == '' then return 0 end
probe()
if not isKnown then
  redis.call('SET', fileKey(hash), packed)
  addTo('fileBytes', #packed, 0)
end
redis.call('ZADD', prefix .. 'files', nowMs(), hash)
return 1
`);

export const putImageScript =
  script(`#!lua flags=allow-oom\n${prelude}local id, fence, place, image = unpack(ARGV)
local phase, own = unpack(redis.call('HMGET', jobKey(id), 'phase', 'fence'))
if phase ~= 'held' or own ~= fence then return 0 end
local before = #(redis.call('HGET', imagesKey(id), place) or '')
redis.call('HSET', imagesKey(id), place, image)
countMore(id, 'imageBytes', #image - before)
return 1
`);

export const putRecordImageScript =
  script(`#!lua flags=allow-oom\n${prelude}local id, place, image, maxBytes = unpack(ARGV)
if redis.call('EXISTS', jobKey(id)) == 0 then return 0 end
local more = #image - #(redis.call('HGET', imagesKey(id), place) or '')
local owner, maxOwn = unpack(redis.call('HMGET', jobKey(id), 'owner', 'maxOwn'))
local own = tonumber(redis.call('ZSCORE', prefix .. 'shares', owner) or '0')
if more > 0 and own + more > (tonumber(maxOwn or '') or math.huge) then return 0 end
if more > 0 and (numberIn('bytes') or 0) + more > tonumber(maxBytes) then return 0 end
redis.call('HSET', imagesKey(id), place, image)
countMore(id, 'size', more)
addTo('bytes', more, 0)
redis.call('ZINCRBY', prefix .. 'shares', more, owner)
return 1
`);

export const putTemplateScript = script(`${prelude}${templates}local owner, name, head, body = unpack(ARGV)
local before = sizeOf(owner, name)
local bytes = #head + #body - (before or 0)
local count = before and 0 or 1
local ownCount, ownBytes = shareOf(owner)
if ownCount + count > tonumber(ARGV[5]) then return 'templates' end
if ownBytes + bytes > tonumber(ARGV[6]) then return 'size' end
local allCount, allBytes = totals()
if allCount + count > tonumber(ARGV[7]) or allBytes + bytes > tonumber(ARGV[8]) then return 'all' end
redis.call('HSET', prefix .. 'templates:' .. owner, name, head)
redis.call('HSET', prefix .. 'template-bodies:' .. owner, name, body)
redis.call('HSET', sizesKey(owner), name, #head + #body)
add(count, bytes)
return before and 'old' or 'new'
`);

export const readTemplateScript = script(`#!lua flags=allow-oom\n${prelude}local owner, name = unpack(ARGV)
return {
  redis.call('HGET', prefix .. 'templates:' .. owner, name) or '',
  redis.call('HGET', prefix .. 'template-bodies:' .. owner, name) or '',
}
`);

export const readScript =
  script(`${prelude}${ownerLog}local job, has, epoch, number, limit = ARGV[2], ARGV[3] == '1', ARGV[4], tonumber(ARGV[5]), ARGV[6]
if not isLog(headKey, 'hash') then return false end
local own, last, lostTo = unpack(redis.call('HMGET', headKey, 'epoch', 'last', 'lostTo'))
if not own then
  if has or job ~= '' then return false end
  return { '', {} }
end
local key = job == '' and ownerKey or eventsKey(job)
if not isLog(key, 'stream') then return false end
if job ~= '' and redis.call('EXISTS', key) == 0 then return false end
if has and epoch ~= own then return false end
if has and number > lastOf(owner, last) and number > lastIn(ownerKey) then return false end
if has and job == '' and number < whole(lostTo) then return false end
local from = has and string.format('(%d-0', number) or '-'
return { own, redis.call('XRANGE', key, from, '+', 'COUNT', limit) }
`);

export const refusedScript =
  script(`#!lua flags=allow-oom\n${prelude}local id, submissionId, attempt = unpack(ARGV)
local text, promptId = unpack(redis.call('HMGET', jobKey(id), 'intent', 'promptId'))
if not text or promptId then return 0 end
local intent = decoded(text)
if intent.submissionId ~= submissionId or intent.attempt ~= tonumber(attempt) then return 0 end
redis.call('HDEL', jobKey(id), 'intent')
return 1
`);

export const removeRecordScript = script(`#!lua flags=allow-oom\n${prelude}${records}local id = ARGV[1]
local owner, key = unpack(redis.call('HMGET', jobKey(id), 'owner', 'key'))
if not owner then return 0 end
if key ~= '' then redis.call('DEL', useKey(owner, key)) end
drop(id)
return 1
`);

export const removeTemplateScript =
  script(`#!lua flags=allow-oom\n${prelude}${templates}local owner, name = unpack(ARGV)
local before = sizeOf(owner, name)
if not before then return 0 end
redis.call('HDEL', prefix .. 'templates:' .. owner, name)
redis.call('HDEL', prefix .. 'template-bodies:' .. owner, name)
redis.call('HDEL', sizesKey(owner), name)
add(-1, -before)
return 1
`);

export const renewLeasesScript =
  script(`#!lua flags=allow-oom\n${prelude}local process, untilMs, lost = ARGV[1], nowMs() + tonumber(ARGV[2]), {}
for index = 3, #ARGV do
  local id = ARGV[index]
  if redis.pcall('HGET', jobKey(id), 'process') == process then
    redis.call('ZADD', prefix .. 'open', 'XX', untilMs, id)
  else
    lost[#lost + 1] = id
  end
end
return lost
`);

export const resolveScript =
  script(`#!lua flags=allow-oom\n${prelude}${wholeLists}local id, decision = unpack(ARGV)
if redis.call('HGET', jobKey(id), 'phase') ~= 'unknown' then return 0 end
redis.call('ZREM', prefix .. 'unknown', id)
if decision == 'resubmit' then
  redis.call('HDEL', jobKey(id), 'endedAt', 'reason', 'outcome', 'intent')
  enqueue(id)
else
  redis.call('HSET', jobKey(id), 'phase', 'ended')
  enlistEnded(id, nowMs())
end
return 1
`);

export const rightsScript = script(`${prelude}local missing = {}
if not redis.acl_check_cmd then return missing end
for _, name in ipairs(ARGV) do
  if not redis.acl_check_cmd(name, prefix .. 'rights') then missing[#missing + 1] = name end
end
return missing
`);

export const serversScript = script(`${prelude}${reports}return { nowMs(), reportsNow(), serversNow() }
`);

export const setAsideJobScript = script(`#!lua flags=allow-oom\n${prelude}local id, part = unpack(ARGV)
local key = prefix .. 'workflow:' .. id
local text = part == 'intent' and redis.call('HGET', jobKey(id), part) or redis.pcall('GET', key)
if type(text) == 'table' then
  redis.call('RENAME', key, prefix .. 'damaged:workflow:' .. id)
  text = ''
end
return redis.call('HSETNX', prefix .. 'damaged', part .. ':' .. id, text or '')
`);

export const setAsideRecordScript = script(`#!lua flags=allow-oom\n${prelude}local id, standIn = unpack(ARGV)
local text = redis.call('HGET', jobKey(id), 'record')
if redis.call('HSETNX', prefix .. 'damaged', id, text or '') == 0 then return 0 end
redis.call('HSET', jobKey(id), 'record', standIn)
return 1
`);

export const snapshotScript =
  script(`#!lua flags=allow-oom\n${prelude}${wholeLists}${reports}local worker, aliveMs, report = ARGV[1], ARGV[2], ARGV[3]
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
`);

export const statsScript = script(`${prelude}${reports}local waiting = redis.call('ZCARD', prefix .. 'open')
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
`);

export const takeOpenScript =
  script(`#!lua flags=allow-oom\n${prelude}${wholeLists}${hold}local worker, aliveMs, expected = ARGV[1], ARGV[2], ARGV[3]
if redis.call('EXISTS', workerKey(worker)) == 0 then return {} end
for index = 4, #ARGV do
  local id = redis.call('ZPOPMIN', openKey(ARGV[index]))[1]
  if id then return hold(id, worker, aliveMs, ARGV[index], expected) end
end
return {}
`);

export const takeScript = script(`${prelude}${wholeLists}local turn, worker, known, lock, token = unpack(ARGV)
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
`);

export const updateRecordScript = script(`#!lua flags=allow-oom\n${prelude}local id = ARGV[1]
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
