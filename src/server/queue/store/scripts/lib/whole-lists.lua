-- Fails where a key of the whole queue is of another type, before the script has changed anything: it would fail half-way. `mend-queue` sets
-- such a key aside, and the call is made again.
-- @include lists
for name, kind in pairs(lists) do mustBe(name, kind) end
