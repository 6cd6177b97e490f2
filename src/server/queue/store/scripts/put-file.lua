-- Keeps an input file of jobs by its hash, once; without bytes it only checks. Gives 1 where the queue has the file then, else 0.
--
-- KEYS[1] the prefix of file:HASH, files, fileBytes, probe
-- ARGV[1] the hash
-- ARGV[2] the packed file, or an empty text
local hash, packed = unpack(ARGV)
local isKnown = redis.call('EXISTS', fileKey(hash)) == 1
if not isKnown and packed == '' then return 0 end
probe()
if not isKnown then
  redis.call('SET', fileKey(hash), packed)
  addTo('fileBytes', #packed, 0)
end
redis.call('ZADD', prefix .. 'files', nowMs(), hash)
return 1
