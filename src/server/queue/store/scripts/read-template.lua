-- Gives a template of an owner in its two parts, of one moment.
--
-- KEYS[1] the prefix of templates:OWNER, template-bodies:OWNER
-- ARGV[1] the owner
-- ARGV[2] the name
-- @flags allow-oom
local owner, name = unpack(ARGV)
return {
  redis.call('HGET', prefix .. 'templates:' .. owner, name) or '',
  redis.call('HGET', prefix .. 'template-bodies:' .. owner, name) or '',
}
