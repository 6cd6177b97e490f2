-- Adds jobs, all of them or none. Gives the id of each job, in their order, and the moment by the server's clock; no ids where the queue
-- drains, and where it has not got a file that a job names: the number of that job and the hash of the file come behind the moment.
--
-- A key that the tenant has used gives the id of its job, and adds none; so does an id that is known, as in a call that is repeated
-- because its answer was lost. A delayed job does not wait yet.
--
-- KEYS[1] the prefix of draining, keys, job:ID, seq, workflow:ID, jobs, open, waiting:TENANT, virtual, weights,
--   tenants, delayed, log:OWNER, events:OWNER, events-of:OWNER-JOB, files, file:HASH, file-jobs:HASH
-- ARGV[1] an epoch for new logs
-- ARGV[2] the name of this process
-- ARGV[3] and on, of each job: its id, tenant, priority, its key or an empty text, by how many milliseconds it is delayed or an empty
--   text, the packed workflow, what it asks of a server as JSON or an empty text, the hashes of the files that it names as JSON or an empty
--   text, the number of events for its log, and these events as JSON
-- @include whole-lists
-- @include append-events
local epoch, process = ARGV[1], ARGV[2]
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
