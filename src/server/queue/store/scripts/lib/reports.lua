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
    for server, facts in pairs(decoded(report[2])) do
      local own = type(facts) == 'table' and tonumber(facts.slots) or 0
      slots[server] = math.min(slots[server] or own, own)
    end
  end
  for _, count in pairs(slots) do all = all + count end
  return all
end
-- All fields of a hash.
local function fieldsOf(key)
  local all, flat = {}, redis.call('HGETALL', prefix .. key)
  for at = 1, #flat, 2 do all[flat[at]] = flat[at + 1] end
  return all
end
-- What is known of all servers, for `readServers`: name, what was reported last, mode, since when it is unreachable, its jobs, its models and
-- its counts.
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
