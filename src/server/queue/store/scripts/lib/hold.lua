-- Gives a job its next holder, at a server, and tells what the holder needs of it; the worker lives for that long from now on.
local function hold(id, worker, aliveMs, server, expected)
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
