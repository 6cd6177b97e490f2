-- Keeps the service's id of a job whose submission this is; gives the id that the record has then, or nothing where the record has
-- another submission or the id belongs to another job. A job that was given up as unknown waits again, to be followed.
--
-- KEYS[1] the prefix of job:ID, prompts, unknown, open, waiting:TENANT, virtual, weights, tenants
-- ARGV[1] the id of the job
-- ARGV[2] the id of the submission
-- ARGV[3] the id of the job at the service
-- @flags allow-oom
-- @include whole-lists
local id, submissionId, promptId = unpack(ARGV)
local text, known, phase = unpack(redis.call('HMGET', jobKey(id), 'intent', 'promptId', 'phase'))
if not text or decoded(text).submissionId ~= submissionId then return false end
if known then return known end
if redis.call('HSETNX', prefix .. 'prompts', promptId, id) == 0 then return false end
redis.call('HSET', jobKey(id), 'promptId', promptId)
changed(id)
if phase == 'unknown' then
  redis.call('HDEL', jobKey(id), 'endedAt', 'reason', 'outcome')
  redis.call('ZREM', prefix .. 'unknown', id)
  enqueue(id)
end
return promptId
