import { script } from '../script.js';

const names = `
local owner = ARGV[1]
local headKey = prefix .. 'log:' .. owner
local ownerKey = prefix .. 'events:' .. owner
local function eventsKey(job) return prefix .. 'events-of:' .. cjson.encode({ owner, job }) end
local function open(newEpoch)
  redis.call('HSETNX', headKey, 'epoch', newEpoch)
  return redis.call('HGET', headKey, 'epoch'), tonumber(redis.call('HGET', headKey, 'last') or '0')
end
`;

/**
 * Adds events of one job to its owner's stream and to its own, with the same numbers, and publishes the owner. Gives the positions.
 *
 * A call with a token that was used in the last ten minutes gives the positions of that call: it is the same one, sent again because
 * the connection broke.
 *
 * ARGV: owner, job, an epoch for a new log, token, the name of this process, events as JSON.
 */
export const appendScript = script(`${names}
local job, token = ARGV[2], prefix .. 'appended:' .. ARGV[4]
local known = redis.call('GET', token)
if known then return cjson.decode(known) end
local epoch, last = open(ARGV[3])
local ids = {}
for index = 6, #ARGV do
  last = last + 1
  local id = string.format('%d-0', last)
  redis.call('XADD', ownerKey, id, 'job', job, 'event', ARGV[index])
  redis.call('XADD', eventsKey(job), id, 'job', job, 'event', ARGV[index])
  ids[#ids + 1] = epoch .. '-' .. string.format('%d', last)
end
redis.call('HSET', headKey, 'last', string.format('%d', last))
redis.call('SET', token, cjson.encode(ids), 'EX', 600)
redis.call('PUBLISH', prefix .. 'appended', ARGV[5] .. ' ' .. owner)
return ids
`);

/**
 * Reads events after a position. Gives the epoch and the entries, or nothing where there is a gap.
 *
 * ARGV: owner, job or '', whether there is a position ('1'), its epoch, its number, how many.
 */
export const readScript = script(`${names}
local job, has, epoch, number, limit = ARGV[2], ARGV[3] == '1', ARGV[4], tonumber(ARGV[5]), ARGV[6]
local own, last, lostTo = unpack(redis.call('HMGET', headKey, 'epoch', 'last', 'lostTo'))
if not own then
  if has or job ~= '' then return false end
  return { '', {} }
end
if job ~= '' and redis.call('EXISTS', eventsKey(job)) == 0 then return false end
if has and (epoch ~= own or number > tonumber(last or '0')) then return false end
if has and job == '' and number < tonumber(lostTo or '0') then return false end
local key = job == '' and ownerKey or eventsKey(job)
local from = has and string.format('(%d-0', number) or '-'
return { own, redis.call('XRANGE', key, from, '+', 'COUNT', limit) }
`);

/**
 * Gives the position of the owner's last event.
 *
 * ARGV: owner, an epoch for a new log.
 */
export const positionScript = script(`${names}
local epoch, last = open(ARGV[2])
return epoch .. '-' .. string.format('%d', last)
`);

/**
 * Forgets the events of a job.
 *
 * ARGV: owner, job.
 */
export const expireScript = script(`${names}
local key = eventsKey(ARGV[2])
local lost = tonumber(redis.call('HGET', headKey, 'lostTo') or '0')
for _, entry in ipairs(redis.call('XRANGE', key, '-', '+')) do
  redis.call('XDEL', ownerKey, entry[1])
  lost = math.max(lost, tonumber(string.match(entry[1], '^%d+')))
end
redis.call('DEL', key)
if lost > 0 then redis.call('HSET', headKey, 'lostTo', string.format('%d', lost)) end
return 1
`);
