-- Forgets input files that no open job names: those unused for so long, and the longest unused ones beyond so many bytes.
--
-- KEYS[1] the prefix of files, fileBytes, file:HASH, file-jobs:HASH
-- ARGV[1] how many files to check
-- ARGV[2] the age to keep, in milliseconds
-- ARGV[3] the bytes to keep
-- @flags allow-oom
local most, age, keepBytes = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local now = nowMs()
for _, hash in ipairs(redis.call('ZRANGE', prefix .. 'files', 0, most - 1)) do
  local usedAt = tonumber(redis.call('ZSCORE', prefix .. 'files', hash))
  if (numberIn('fileBytes') or 0) <= keepBytes and usedAt > now - age then return end
  if redis.call('EXISTS', fileJobsKey(hash)) == 1 then
    redis.call('ZADD', prefix .. 'files', now, hash)
  else
    addTo('fileBytes', -redis.call('STRLEN', fileKey(hash)), 0)
    redis.call('DEL', fileKey(hash))
    redis.call('ZREM', prefix .. 'files', hash)
  end
end
