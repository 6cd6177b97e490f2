-- Keeps the intent of a submission where the worker still holds the job; gives it as it is kept, or nothing.
--
-- KEYS[1] the prefix of job:ID
-- ARGV[1] the id of the job
-- ARGV[2] the fence of its holder
-- ARGV[3] the intent as JSON, which gets `at` and `since`
local id, fence, text = unpack(ARGV)
local phase, own, known = unpack(redis.call('HMGET', jobKey(id), 'phase', 'fence', 'intent'))
if phase ~= 'held' or own ~= fence then return false end
local intent = cjson.decode(text)
intent.at = nowMs()
intent.since = intent.at
if known then
  local before = decoded(known)
  if before.submissionId == intent.submissionId then intent.since = before.since or intent.since end
end
local kept = cjson.encode(intent)
redis.call('HSET', jobKey(id), 'intent', kept)
return kept
