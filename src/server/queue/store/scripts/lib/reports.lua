-- What the living workers of a queue over servers report, and how many slots their servers have together: of one that several
-- workers report, the fewest.
local function reportsNow()
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
    for server, facts in pairs(cjson.decode(report[2])) do
      slots[server] = math.min(slots[server] or facts.slots, facts.slots)
    end
  end
  for _, count in pairs(slots) do all = all + count end
  return all
end
-- What is known of all servers, for `readServers`: name, what was reported last, mode, since when it is unreachable, its jobs, its models and
-- its counts.
local function serversNow()
  local all = {}
  for _, server in ipairs(redis.call('HKEYS', prefix .. 'servers')) do
    all[#all + 1] = {
      server,
      redis.call('HGET', prefix .. 'servers', server),
      redis.call('HGET', prefix .. 'modes', server) or '',
      redis.call('HGET', prefix .. 'away', server) or '',
      redis.call('HGETALL', slotsKey(server)),
      redis.call('HGET', prefix .. 'loaded', server) or '',
      redis.call('HGET', prefix .. 'tally', 'done ' .. server) or '0',
      redis.call('HGET', prefix .. 'tally', 'failed ' .. server) or '0',
      redis.call('HGET', prefix .. 'tally', 'lost ' .. server) or '0',
      redis.call('HGET', prefix .. 'tally', 'late ' .. server) or '0',
      redis.call('ZCARD', openKey(server)),
    }
  end
  return all
end
