-- Gives a job that one of these servers may have, and that no worker holds, to a worker that reaches the server: the id, the moment and the
-- fields of the job, or nothing. It uses a slot of the server already.
--
-- KEYS[1] the prefix of job:ID, turns, on:SERVER, open:SERVER, worker:ID
-- ARGV[1] the worker
-- ARGV[2] for how many milliseconds it counts as alive from now on
-- ARGV[3] how long the job is expected to take, in milliseconds
-- ARGV[4] and on: the servers
-- @flags allow-oom
-- @include whole-lists
-- @include hold
local worker, aliveMs, expected = ARGV[1], ARGV[2], ARGV[3]
if redis.call('EXISTS', workerKey(worker)) == 0 then return {} end
for index = 4, #ARGV do
  local id = redis.call('ZPOPMIN', openKey(ARGV[index]))[1]
  if id then return hold(id, worker, aliveMs, ARGV[index], expected) end
end
return {}
