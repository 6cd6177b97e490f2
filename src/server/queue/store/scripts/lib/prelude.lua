-- What every script may use: the keys of a queue, and the moment by the server's clock.
--
-- Every key begins with the prefix of the queue, `{promptwire:NAME}:`, whose braces put all of them into one slot. A script computes most
-- of its keys from what it reads, so KEYS has the prefix alone, and its head names what follows it:
--
--   job:ID               hash    a job: format, phase, tenant, priority, seq, fence, turn, worker, intent, promptId, times, due where it was
--                                delayed, reason, outcome, progress;
--                                over servers what it asks of one (work), its server, reruns, which refused it, and
--                                the hashes of the files that it names (files), as JSON
--   workflow:ID          text    its workflow, packed
--   images:ID            hash    the pictures that it sent over the socket, by node and place
--   jobs                 sorted  all jobs by seq
--   seq                  number  of the last job
--   keys                 hash    tenant and key, as JSON, to the job that used the key
--   waiting:TENANT       sorted  jobs that wait, by priority; the members hold seq and id
--   tenants              sorted  tenants with waiting jobs, by virtual finish time
--   virtual              number  the virtual time
--   weights              hash    weight by tenant
--   open                 sorted  jobs that wait and that the service may have, by seq
--   open:SERVER          sorted  those that this server may have, in a queue over servers
--   over                 text    `servers` in a queue over servers; the keys from here to `runs` are of such a queue alone
--   worker:ID            text    there while the worker lives: what it reports of its servers, as JSON
--   workers              set     workers
--   servers              hash    what was reported last of a server, as JSON
--   away                 hash    server to since when no worker reaches it
--   on:SERVER            hash    the jobs that use its slots, to since when and how long they are expected to, as JSON
--   loaded               hash    server to the models of the last job that it got, as JSON
--   modes                hash    server to what is asked of it, as JSON: its mode, and why
--   tally                hash    kind of end and server to how many jobs ended so
--   givenUp              hash    the service's id of a job that was given up to its server
--   runs                 stream  what the last runs took
--   file:HASH            text    an input file of jobs, packed
--   files                sorted  hashes of these files by when they were used last
--   fileBytes            number  of all of them
--   file-jobs:HASH       set     the jobs that name the file and have not ended
--   has:SERVER           hash    the hashes of files that a server has, to how workflows name them there, as JSON
--   delayed              sorted  jobs by when they begin to wait
--   turns                hash    slot token to the job that it has
--   unknown, ended       sorted  jobs by when they came there
--   endedBytes           number  what the ended jobs take
--   prompts              hash    the service's id to the job that has it
--   draining, paused     text    there while the queue drains, or is paused
--   slots, foreign       number  how many jobs the account runs at once, and how many of these are other programs'
--   log:OWNER            hash    the head of an owner's log: epoch, last, lostTo
--   events:OWNER         stream  the events of an owner
--   events-of:OWNER-JOB  stream  those of one job, with the same numbers
--   appended:TOKEN       text    what a call that appends gave, for ten minutes
--   damaged              hash    what could not be read of jobs, by part and id
--   damaged:KEY          any     what stood in the place of a job, its workflow, a part of a log or a list
--   probe                text    written to see whether the server takes writes, for a minute
--   rights               none    never there; the rights of a user are asked for it
--
-- A script has changed what it changes when it publishes: `pcall` keeps a user without that right from a refusal of what has happened.
-- Channels: appended, cancel, changed, progress, resumed.
local prefix = KEYS[1]
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
-- What can't be read stands for nothing, so that one job or one worker is not in the way of the others.
local function decoded(text)
  local isRead, value = pcall(cjson.decode, text or '')
  return isRead and type(value) == 'table' and value or {}
end
local function whole(text)
  local number = tonumber(text or '')
  return number and number > -1e15 and number < 1e15 and math.floor(number) or 0
end
-- A whole number that the queue keeps; nothing where there is none, or it can't be read.
local function numberIn(name)
  local text = redis.pcall('GET', prefix .. name)
  return type(text) == 'string' and string.match(text, '^%-?%d+$') and tonumber(text) or nil
end
-- Adds to such a number and gives the sum; one that can't be read begins anew at `from`.
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
-- Whether a key may hold a job; what is of another type is set aside, so that it stands in the way of none.
local function isJob(id)
  local kind = redis.call('TYPE', jobKey(id)).ok
  if kind == 'hash' or kind == 'none' then return true end
  redis.call('RENAME', jobKey(id), prefix .. 'damaged:job:' .. id)
  redis.call('HSETNX', prefix .. 'damaged', 'job:' .. id, '')
  return false
end
-- Counts what a job has more of; a count that can't be read begins anew.
local function countMore(id, field, more)
  local counted = redis.pcall('HINCRBY', jobKey(id), field, more)
  if type(counted) == 'table' then redis.call('HSET', jobKey(id), field, more) end
end
-- The fence of a new holder is larger than that of any before it, also where that can't be read.
local function growFence(id)
  local grown = redis.pcall('HINCRBY', jobKey(id), 'fence', 1)
  if type(grown) == 'table' then redis.call('HSET', jobKey(id), 'fence', string.format('%.0f', nowMs())) end
end
-- Writes to see whether the server takes writes; fails with its refusal, such as that it has no memory.
local function probe() redis.call('SET', prefix .. 'probe', '1', 'PX', 60000) end
local function refusal()
  local answer = redis.pcall('SET', prefix .. 'probe', '1', 'PX', 60000)
  return answer.err or ''
end
-- Tells those who follow the queue as a whole that the job has another phase, or is gone.
local function changed(id) redis.pcall('PUBLISH', prefix .. 'changed', id) end
-- Frees the slot of a server that a job uses.
local function freeSlot(id)
  local server = redis.call('HGET', jobKey(id), 'server')
  if server then redis.call('HDEL', slotsKey(server), id) end
end
-- Ranks by priority, then age. A tenant that begins to wait starts at the current virtual time. A job that the service may have is
-- before all others: it uses one of the account's slots already, or one of its server's.
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
-- What is kept of a job that is over: its workflow, and its log in two streams.
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
