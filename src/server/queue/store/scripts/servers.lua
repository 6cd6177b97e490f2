-- Gives what is known of the servers of a queue: the moment by the server's clock, what living workers report, and each server.
--
-- KEYS[1] the prefix of workers, worker:ID, servers, modes, away, on:SERVER, loaded, tally, open:SERVER
-- @include reports
return { nowMs(), reportsNow(), serversNow() }
