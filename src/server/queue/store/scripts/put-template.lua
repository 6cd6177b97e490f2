-- Saves a template in place of the owner's one of this name, within the bounds of its owner and of all; gives `new`, `old`, or the bound.
--
-- KEYS[1] the prefix of templates:OWNER, template-bodies:OWNER, template-sizes:OWNER, template-totals
-- ARGV[1] the owner
-- ARGV[2] the name
-- ARGV[3] the template without its workflow, as JSON
-- ARGV[4] its workflow, as JSON
-- ARGV[5] the most templates of the owner
-- ARGV[6] the most bytes of the owner
-- ARGV[7] the most templates of all
-- ARGV[8] the most bytes of all
-- @include templates
local owner, name, head, body = unpack(ARGV)
local before = sizeOf(owner, name)
local bytes = #head + #body - (before or 0)
local count = before and 0 or 1
local ownCount, ownBytes = shareOf(owner)
if ownCount + count > tonumber(ARGV[5]) then return 'templates' end
if ownBytes + bytes > tonumber(ARGV[6]) then return 'size' end
local allCount, allBytes = totals()
if allCount + count > tonumber(ARGV[7]) or allBytes + bytes > tonumber(ARGV[8]) then return 'all' end
redis.call('HSET', prefix .. 'templates:' .. owner, name, head)
redis.call('HSET', prefix .. 'template-bodies:' .. owner, name, body)
redis.call('HSET', sizesKey(owner), name, #head + #body)
add(count, bytes)
return before and 'old' or 'new'
