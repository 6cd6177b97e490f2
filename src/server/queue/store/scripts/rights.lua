-- Gives those of some commands that the user may not use on a key, or a channel, of the queue. A server that can't tell gives none.
--
-- KEYS[1] the prefix of rights
-- ARGV the names of the commands
local missing = {}
if not redis.acl_check_cmd then return missing end
for _, name in ipairs(ARGV) do
  if not redis.acl_check_cmd(name, prefix .. 'rights') then missing[#missing + 1] = name end
end
return missing
