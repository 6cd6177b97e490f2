-- Gives the position of the owner's last event.
--
-- A server without memory begins a log as well, so that readers of what is known are not refused.
--
-- KEYS[1] the prefix of log:OWNER
-- ARGV[1] owner
-- ARGV[2] an epoch for a new log
-- @flags allow-oom
-- @include owner-log
local epoch, last = open(ARGV[2])
return epoch .. '-' .. string.format('%d', math.max(last, lastIn(ownerKey)))
