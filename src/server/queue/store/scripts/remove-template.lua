-- Forgets a template; gives whether it was there.
--
-- KEYS[1] the prefix of templates:OWNER, template-bodies:OWNER, template-sizes:OWNER, template-totals
-- ARGV[1] the owner
-- ARGV[2] the name
-- @flags allow-oom
-- @include templates
local owner, name = unpack(ARGV)
local before = sizeOf(owner, name)
if not before then return 0 end
redis.call('HDEL', prefix .. 'templates:' .. owner, name)
redis.call('HDEL', prefix .. 'template-bodies:' .. owner, name)
redis.call('HDEL', sizesKey(owner), name)
add(-1, -before)
return 1
