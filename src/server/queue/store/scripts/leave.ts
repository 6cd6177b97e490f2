import { appendEvents } from './log.js';
import { script } from '../script.js';

/**
 * Ends the hold of a worker on its job; gives 1, or 0 where the worker does not hold it any more.
 *
 * In the phase \`waiting\` the job waits again, with its age; in \`ended\` and \`unknown\` it is over, with this outcome and for
 * this reason.
 *
 * ARGV: id, fence, phase, reason, outcome.
 */
export const leaveScript = script(`
local id, fence, phase, reason, outcome = unpack(ARGV)
local held, own, turn = unpack(redis.call('HMGET', jobKey(id), 'phase', 'fence', 'turn'))
if held ~= 'held' or own ~= fence then return 0 end
redis.call('HDEL', prefix .. 'turns', turn)
redis.call('HDEL', jobKey(id), 'turn', 'worker')
if phase == 'waiting' then
  enqueue(id)
else
  local now = nowMs()
  redis.call('HSET', jobKey(id), 'phase', phase, 'reason', reason, 'outcome', outcome, 'endedAt', now)
  if phase == 'ended' then enlistEnded(id, now) else redis.call('ZADD', prefix .. phase, now, id) end
end
return 1
`);

/**
 * Cancels a job: one that waits is over, and one that the service may have, or a worker holds, is marked for the worker. Gives the
 * phase before, or nothing for a job that is not known.
 *
 * ARGV: id, an epoch for a new log, the event of the end of one that waits.
 */
export const cancelScript = script(`${appendEvents}
local id = ARGV[1]
local phase, intent, promptId = unpack(redis.call('HMGET', jobKey(id), 'phase', 'intent', 'promptId'))
if phase == 'held' or (phase == 'waiting' and (intent or promptId)) then
  redis.call('HSETNX', jobKey(id), 'cancelRequestedAt', nowMs())
  redis.call('PUBLISH', prefix .. 'cancel', id)
elseif phase == 'waiting' or phase == 'delayed' then
  if phase == 'waiting' then dequeue(id) else redis.call('ZREM', prefix .. 'delayed', id) end
  local now = nowMs()
  redis.call('HSET', jobKey(id), 'phase', 'ended', 'reason', 'cancelled', 'outcome', 'cancelled', 'endedAt', now)
  enlistEnded(id, now)
  appendEvents(redis.call('HGET', jobKey(id), 'tenant'), id, ARGV[2], 'cancel', { ARGV[3] })
end
return phase
`);
