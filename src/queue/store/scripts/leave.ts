import { script } from '../script.js';

/**
 * Ends the hold of a worker on its job; gives 1, or 0 where the worker does not hold it any more.
 *
 * In the phase \`waiting\` the job waits again, with its age; in \`ended\` and \`unknown\` it is over, for this reason.
 *
 * ARGV: id, fence, phase, reason.
 */
export const leaveScript = script(`
local id, fence, phase, reason = unpack(ARGV)
local held, own, turn = unpack(redis.call('HMGET', jobKey(id), 'phase', 'fence', 'turn'))
if held ~= 'held' or own ~= fence then return 0 end
redis.call('HDEL', prefix .. 'turns', turn)
redis.call('HDEL', jobKey(id), 'turn', 'worker')
if phase == 'waiting' then
  enqueue(id)
else
  redis.call('HSET', jobKey(id), 'phase', phase, 'reason', reason, 'endedAt', nowMs())
end
return 1
`);

/**
 * Cancels a job: one that waits is over, and one that the service may have, or a worker holds, is marked for the worker. Gives the
 * phase before, or nothing for a job that is not known.
 *
 * ARGV: id.
 */
export const cancelScript = script(`
local id = ARGV[1]
local phase, intent, promptId = unpack(redis.call('HMGET', jobKey(id), 'phase', 'intent', 'promptId'))
if phase == 'held' or (phase == 'waiting' and (intent or promptId)) then
  redis.call('HSETNX', jobKey(id), 'cancelRequestedAt', nowMs())
elseif phase == 'waiting' or phase == 'delayed' then
  if phase == 'waiting' then dequeue(id) end
  redis.call('HSET', jobKey(id), 'phase', 'ended', 'reason', 'cancelled', 'endedAt', nowMs())
end
return phase
`);
