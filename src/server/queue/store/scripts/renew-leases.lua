-- Renews leases, and gives the ids of those that the process does not have.
--
-- KEYS[1] the prefix of job:ID, open
-- ARGV[1] the process
-- ARGV[2] for how many milliseconds
-- ARGV[3] and on: ids of records
-- @flags allow-oom
local process, untilMs, lost = ARGV[1], nowMs() + tonumber(ARGV[2]), {}
for index = 3, #ARGV do
  local id = ARGV[index]
  if redis.pcall('HGET', jobKey(id), 'process') == process then
    redis.call('ZADD', prefix .. 'open', 'XX', untilMs, id)
  else
    lost[#lost + 1] = id
  end
end
return lost
