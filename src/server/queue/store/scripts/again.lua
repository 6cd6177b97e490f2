-- Has a job submitted once more, by any worker, where its server lost it or was unreachable for too long, refused it alone, or ended it as failed
-- where others may not; gives 1, or 0 if that is not so any more.
--
-- The holder says so with its fence. Without a fence the server has to be unreachable for as long as that, and the holder has lost the job. The copy
-- that was given up may run on: it uses its slot until the server shows what became of it.
--
-- KEYS[1] the prefix of job:ID, turns, on:SERVER, open:SERVER, away, tally, givenUp, tenants, waiting:TENANT,
--   virtual, weights, log:OWNER, events:OWNER, events-of:OWNER-JOB
-- ARGV[1] the id of the job
-- ARGV[2] its server
-- ARGV[3] the fence of its holder, or an empty text
-- ARGV[4] for how many milliseconds the server has to be unreachable, where there is no fence
-- ARGV[5] an epoch for a new log
-- ARGV[6] the event of its new beginning, as JSON, or an empty text
-- ARGV[7] `lost`, `refused` or `failed`
-- ARGV[8] why some servers are not to have the job any more, or an empty text where it was lost
-- ARGV[9] and on: these servers
-- @flags allow-oom
-- @include whole-lists
-- @include append-events
local id, server, fence, awayMs, epoch, event, why, reason = unpack(ARGV)
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
