import { script } from '../script.js';

const functions = `
local function headOf(owner) return prefix .. 'log:' .. owner end
local function streamOf(owner) return prefix .. 'events:' .. owner end
local function jobStreamOf(owner, job) return prefix .. 'events-of:' .. cjson.encode({ owner, job }) end
local function openLog(owner, newEpoch)
  redis.call('HSETNX', headOf(owner), 'epoch', newEpoch)
  return redis.call('HGET', headOf(owner), 'epoch'), tonumber(redis.call('HGET', headOf(owner), 'last') or '0')
end
`;

/** Lua: \`appendEvents\` adds events, as JSON, to the stream of an owner and to that of a job, publishes both, and gives their positions. */
export const appendEvents = `${functions}
local function appendEvents(owner, job, newEpoch, process, events)
  local epoch, last = openLog(owner, newEpoch)
  local ids = {}
  for _, event in ipairs(events) do
    last = last + 1
    local id = string.format('%d-0', last)
    redis.call('XADD', streamOf(owner), id, 'job', job, 'event', event)
    redis.call('XADD', jobStreamOf(owner, job), id, 'job', job, 'event', event)
    ids[#ids + 1] = epoch .. '-' .. string.format('%d', last)
  end
  redis.call('HSET', headOf(owner), 'last', string.format('%d', last))
  redis.call('PUBLISH', prefix .. 'appended', cjson.encode({ process, owner, job }))
  return ids
end
`;

const names = `${functions}
local owner = ARGV[1]
local headKey = headOf(owner)
local ownerKey = streamOf(owner)
local function eventsKey(job) return jobStreamOf(owner, job) end
local function open(newEpoch) return openLog(owner, newEpoch) end
`;

/**
 * Adds events of one job to its owner's stream and to its own, with the same numbers, and publishes both. Gives the positions.
 *
 * A call with a token that was used in the last ten minutes gives the positions of that call: it is the same one, sent again because
 * the connection broke.
 *
 * ARGV: owner, job, an epoch for a new log, token, the name of this process, events as JSON.
 */
export const appendScript = script(`${appendEvents}
local token = prefix .. 'appended:' .. ARGV[4]
local known = redis.call('GET', token)
if known then return cjson.decode(known) end
local ids = appendEvents(ARGV[1], ARGV[2], ARGV[3], ARGV[5], { unpack(ARGV, 6) })
redis.call('SET', token, cjson.encode(ids), 'EX', 600)
return ids
`);

/**
 * Adds events of a job where the worker still holds it; gives 1, 2 where it leaves some out, or 0 where the worker does not hold it. The
 * bytes of a job's events are counted: what goes beyond the limit is left out, but for the last of a call that says so.
 *
 * ARGV: owner, job, an epoch for a new log, token, the name of this process, fence, the most bytes, whether the last one counts in any
 * case ('1'), events as JSON.
 */
export const appendHeldScript = script(`${appendEvents}
local owner, job, token = ARGV[1], ARGV[2], prefix .. 'appended:' .. ARGV[4]
local known = redis.call('GET', token)
if known then return tonumber(known) end
local phase, fence, bytes = unpack(redis.call('HMGET', jobKey(job), 'phase', 'fence', 'logBytes'))
if phase ~= 'held' or fence ~= ARGV[6] then return 0 end
local total, kept = tonumber(bytes or '0'), {}
for index = 9, #ARGV do
  local size = #ARGV[index]
  if total + size <= tonumber(ARGV[7]) or (ARGV[8] == '1' and index == #ARGV) then
    total = total + size
    kept[#kept + 1] = ARGV[index]
  end
end
redis.call('HSET', jobKey(job), 'logBytes', total)
appendEvents(owner, job, ARGV[3], ARGV[5], kept)
local result = #kept == #ARGV - 8 and 1 or 2
redis.call('SET', token, result, 'EX', 600)
return result
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
