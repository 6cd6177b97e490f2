-- Removes the intent of an attempt that the service refused, where it is the record's.
--
-- KEYS[1] the prefix of job:ID
-- ARGV[1] the id of the job
-- ARGV[2] the id of the submission
-- ARGV[3] the number of the attempt
-- @flags allow-oom
local id, submissionId, attempt = unpack(ARGV)
local text, promptId = unpack(redis.call('HMGET', jobKey(id), 'intent', 'promptId'))
if not text or promptId then return 0 end
local intent = decoded(text)
if intent.submissionId ~= submissionId or intent.attempt ~= tonumber(attempt) then return 0 end
redis.call('HDEL', jobKey(id), 'intent')
return 1
