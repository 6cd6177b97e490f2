-- Gives the delayed jobs whose time came so many milliseconds ago: their slot tokens may be lost.
--
-- KEYS[1] the prefix of delayed
-- ARGV[1] how many milliseconds ago their time came
return redis.call('ZRANGEBYSCORE', prefix .. 'delayed', '-inf', nowMs() - tonumber(ARGV[1]), 'LIMIT', 0, 1000)
