-- Adds events, as JSON, to the stream of an owner and to that of a job, publishes both, and gives their positions.
-- @include logs
local function appendEvents(owner, job, newEpoch, process, events)
  local epoch, last = openLog(owner, newEpoch)
  isLog(streamOf(owner), 'stream')
  isLog(jobStreamOf(owner, job), 'stream')
  local ids = {}
  for _, event in ipairs(events) do
    last = last + 1
    local id = string.format('%d-0', last)
    redis.call('XADD', streamOf(owner), id, 'job', job, 'event', event)
    redis.call('XADD', jobStreamOf(owner, job), id, 'job', job, 'event', event)
    ids[#ids + 1] = epoch .. '-' .. string.format('%d', last)
  end
  redis.call('HSET', headOf(owner), 'last', string.format('%d', last))
  redis.pcall('PUBLISH', prefix .. 'appended', cjson.encode({ process, owner, job }))
  return ids
end
