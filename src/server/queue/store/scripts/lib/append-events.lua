-- Adds events, as JSON, to the stream of an owner and to that of a job, publishes both, and gives their positions.
-- @include logs
-- Adds an entry with the next number to both streams, and gives its number. A stream takes no number that it had: where the head is behind its
-- streams, the log goes on after them.
local function addEntry(owner, job, last, event)
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
