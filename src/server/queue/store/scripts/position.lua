-- Gives the position of the owner's last event.
--
-- KEYS[1] the prefix of log:OWNER
-- ARGV[1] owner
-- ARGV[2] an epoch for a new log
-- @include owner-log
local epoch, last = open(ARGV[2])
return epoch .. '-' .. string.format('%d', last)
