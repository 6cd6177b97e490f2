import { script } from '../script.js';

/**
 * Keeps the intent of a submission where the worker still holds the job; gives it as it is kept, or nothing.
 *
 * ARGV: id, fence, the intent as JSON, which gets \`at\` and \`since\`.
 */
export const intendScript = script(`
local id, fence, text = unpack(ARGV)
local phase, own, known = unpack(redis.call('HMGET', jobKey(id), 'phase', 'fence', 'intent'))
if phase ~= 'held' or own ~= fence then return false end
local intent = cjson.decode(text)
intent.at = nowMs()
intent.since = intent.at
if known then
  local before = cjson.decode(known)
  if before.submissionId == intent.submissionId then intent.since = before.since end
end
local kept = cjson.encode(intent)
redis.call('HSET', jobKey(id), 'intent', kept)
return kept
`);

/**
 * Keeps the service's id of a job whose submission this is; gives the id that the record has then, or nothing where the record has
 * another submission or the id belongs to another job. A job that was given up as unknown waits again, to be followed.
 *
 * ARGV: id, submission id, prompt id.
 */
export const answeredScript = script(`
local id, submissionId, promptId = unpack(ARGV)
local text, known, phase = unpack(redis.call('HMGET', jobKey(id), 'intent', 'promptId', 'phase'))
if not text or cjson.decode(text).submissionId ~= submissionId then return false end
if known then return known end
if redis.call('HSETNX', prefix .. 'prompts', promptId, id) == 0 then return false end
redis.call('HSET', jobKey(id), 'promptId', promptId)
if phase == 'unknown' then
  redis.call('HDEL', jobKey(id), 'endedAt', 'reason', 'outcome')
  redis.call('ZREM', prefix .. 'unknown', id)
  enqueue(id)
end
return promptId
`);

/**
 * Removes the intent of an attempt that the service refused, where it is the record's.
 *
 * ARGV: id, submission id, attempt.
 */
export const refusedScript = script(`
local id, submissionId, attempt = unpack(ARGV)
local text, promptId = unpack(redis.call('HMGET', jobKey(id), 'intent', 'promptId'))
if not text or promptId then return 0 end
local intent = cjson.decode(text)
if intent.submissionId ~= submissionId or intent.attempt ~= tonumber(attempt) then return 0 end
redis.call('HDEL', jobKey(id), 'intent')
return 1
`);
