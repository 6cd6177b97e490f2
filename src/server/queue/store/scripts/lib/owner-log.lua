-- The log of the owner that ARGV[1] names.
-- @include logs
local owner = ARGV[1]
local headKey = headOf(owner)
local ownerKey = streamOf(owner)
local function eventsKey(job) return jobStreamOf(owner, job) end
local function open(newEpoch) return openLog(owner, newEpoch) end
