-- Writes to see whether the server takes writes.
--
-- KEYS[1] the prefix of probe
probe()
return 1
