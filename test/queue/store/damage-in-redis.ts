import { type PlayedGateway, playedGateway, playedService } from '../../gateway/support.js';
import { answerWithin } from '../../../src/core/platform/answer-within.js';
import { ids, ownerOf, recordOf } from '../../gateway/store/four-jobs.js';
import { realClock } from '../../../src/core/platform/clock.js';
import { mendRecords } from '../../../src/server/queue/store/mend-records.js';
import type { Random } from '../../simulation/random.js';
import type { Redis } from 'ioredis';
import type { RedisServer } from '../../helpers/redis-server.js';
import { redisEventLog } from '../../../src/server/queue/store/redis-event-log.js';
import { redisJobIndex } from '../../../src/server/queue/store/redis-job-index.js';

/** What became of a gateway's jobs in Redis whose keys and values were damaged. */
export interface DamagedRecords {
  readonly cases: number;
  /** How many of the jobs had nothing of their own damaged. */
  readonly whole: number;
  readonly problems: readonly string[];
}

const name = 'damaged';
const prefix = `{promptwire:${name}}:`;
const rounds = 3;
const portsOf = (redis: Redis, onDamage: (message: string) => void) => ({
  index: redisJobIndex({ redis, name, onDamage }),
  log: redisEventLog({ redis, name, onDamage }),
});

/** A key of Redis, as it was. */
type Entry = readonly [key: string, dump: Buffer];

/** Four jobs of two owners, of which one has ended, each with events. */
const fill = async (redis: Redis): Promise<readonly Entry[]> => {
  const { index, log } = portsOf(redis, () => undefined);
  for (const id of ids) await index.add(recordOf(id));
  await index.update('c', { promptId: 'p', ended: { phase: 'completed', at: 5 } });
  for (let at = 0; at < rounds; at += 1)
    for (const id of ids) await log.append(ownerOf(id), id, [{ type: 'cancelRequested', at }]);
  // The tokens of calls are gone after ten minutes.
  const keys = (await redis.keys('*')).filter((key) => !key.includes(':appended:')).toSorted();
  return Promise.all(keys.map(async (key) => [key, await redis.dumpBuffer(key)] as const));
};

const texts = ['', 'null', '{}', '[]', '{"cut', 'a text', '-1', '1e999', '\u{0}\u{ff}'] as const;
const cut = (text: string, random: Random): string =>
  random.chance(0.5)
    ? text.slice(0, random.below(text.length + 1))
    : `${text.slice(0, random.below(text.length + 1))}#${text.slice(1 + random.below(text.length + 1))}`;

/** What stands in a key; null where there is none. */
const dumpOf = (redis: Redis, key: string): Promise<Buffer | null> => redis.dumpBuffer(key);

/** Damages a key, or what stands in it. */
const damage = async (redis: Redis, keys: readonly string[], random: Random): Promise<void> => {
  const key = random.pick(keys);
  const other = random.pick(keys);
  const text = random.pick(texts);
  const way = random.pick([
    'remove',
    'text',
    'hash',
    'list',
    'move',
    'swap',
    'member',
    'member',
    'member',
    'member',
  ]);
  if (way === 'remove') await redis.del(key);
  else if (way === 'text') await redis.set(key, text);
  else if (way === 'move') await redis.rename(key, `${key}${text}`).catch(() => undefined);
  else if (way === 'swap') {
    const [one, two] = await Promise.all([dumpOf(redis, key), dumpOf(redis, other)]);
    await redis.del(key, other);
    if (two !== null) await redis.restore(key, 0, two, 'REPLACE');
    if (one !== null) await redis.restore(other, 0, one, 'REPLACE');
  } else if (way === 'hash' || way === 'list') {
    await redis.del(key);
    await (way === 'hash' ? redis.hset(key, 'field', text) : redis.rpush(key, text));
  } else await damageMember(redis, key, random);
};

/** Removes, changes or adds a part of what stands in a key. */
const damageMember = async (redis: Redis, key: string, random: Random): Promise<void> => {
  const type = await redis.type(key);
  const text = random.pick(texts);
  const way = random.pick(['remove', 'change', 'add']);
  if (type === 'string') await redis.set(key, cut((await redis.get(key)) ?? '', random));
  else if (type === 'hash') {
    const field = random.pick(await redis.hkeys(key));
    if (way === 'remove') await redis.hdel(key, field);
    else if (way === 'add') await redis.hset(key, `${field}x`, text);
    else
      await redis.hset(
        key,
        field,
        random.chance(0.5) ? text : cut((await redis.hget(key, field)) ?? '', random),
      );
  } else if (type === 'zset') {
    const member = random.pick(await redis.zrange(key, '0', '-1'));
    if (way === 'remove') await redis.zrem(key, member);
    else if (way === 'change')
      await redis.zadd(key, random.pick(['0', '-1', '7', '9e15', 'inf', '-inf']), member);
    else await redis.zadd(key, random.below(9), `${member}x`);
  } else if (type === 'stream') {
    const [[id] = ['1-0'], last] = [...(await redis.xrange(key, '-', '+')), undefined];
    if (way === 'remove') await redis.xdel(key, id);
    else if (way === 'change') await redis.xtrim(key, 'MAXLEN', random.below(3));
    else
      await redis
        .xadd(key, `${random.between(13, 99)}-0`, 'job', text, 'event', last === undefined ? text : '{')
        // A stream that got a later entry by another damage takes none before it.
        .catch(() => undefined);
  }
};

/** A job whose record is as it was. */
interface WholeJob {
  readonly id: string;
  /** Whether its events are, too. */
  readonly hasEvents: boolean;
}

const eventsKeyOf = (id: string): string => `${prefix}events-of:${JSON.stringify([ownerOf(id), id])}`;

/** The records, by the ids of their jobs, as text: the order of their fields means nothing. */
const recordsIn = async (redis: Redis): Promise<ReadonlyMap<string, string>> => {
  const texts = ids.map(async (id) => {
    const fields = await redis.hgetall(`${prefix}job:${id}`).catch(() => ({}));
    return [id, JSON.stringify(Object.entries(fields).toSorted())] as const;
  });
  return new Map(await Promise.all(texts));
};

/** Whether everything of a job is as it was: its record, its place in the lists, its key, and its events where nothing became of them. */
const problemsOf = async (
  { index, log, jobs }: PlayedGateway,
  { id, hasEvents }: WholeJob,
): Promise<readonly string[]> => {
  const owner = ownerOf(id);
  const problems: string[] = [];
  const kept = await index.get(id);
  if (kept?.submissionId !== `s-${id}` || kept.unreadable === true)
    problems.push(`the record of ${id} is lost`);
  if ((await jobs.get({ name: owner }, id)) === undefined) problems.push(`the job ${id} is unknown`);
  const listed = (await index.list(owner, { limit: 99 })).map((record) => record.id);
  if (!listed.includes(id)) problems.push(`the job ${id} is not listed`);
  const repeated = await index.add({ ...recordOf(`twice-${id}`, owner), key: `key of ${id}` });
  if (repeated._tag !== 'keyUsed' || repeated.existing?.id !== id)
    problems.push(`the key of ${id} is free again`);
  const { events } = await log.read({ owner, jobId: id }, undefined, rounds);
  const times = events.map(({ event }) => (event.type === 'cancelRequested' ? event.at : undefined));
  if (hasEvents && times.join() !== '0,1,2') problems.push(`events of ${id} are lost`);
  return problems;
};

/** Starts a gateway over what is there, and says what is wrong with it. */
const startOver = async (redis: Redis, whole: readonly WholeJob[]): Promise<readonly string[]> => {
  try {
    await mendRecords({ redis, name, onDamage: () => undefined });
    const gateway = await playedGateway(
      portsOf(redis, () => undefined),
      playedService('jobs'),
    );
    const problems: string[] = [];
    for (const job of whole) problems.push(...(await problemsOf(gateway, job)));
    const added = await gateway.jobs.submit({ name: 'alice' }, { workflow: recordOf('new').workflow });
    if (added._tag !== 'accepted') problems.push(`a new job is ${added._tag}`);
    await gateway.jobs.close();
    return problems;
  } catch (error) {
    return [`it fails: ${String(error)}`];
  }
};

const patienceMs = 30_000;

/**
 * Damages what a gateway keeps in Redis, one to four keys or parts of them in each case, and starts a gateway over it: each start has to
 * succeed, and no job may be lost whose own record is whole.
 */
export const damageInRedis = async (
  server: RedisServer,
  { from, count }: { readonly from: number; readonly count: number },
  randomFor: (seed: number) => Random,
): Promise<DamagedRecords> => {
  const redis = server.connect();
  await redis.flushall();
  const entries = await fill(redis);
  const keys = entries.map(([key]) => key);
  const records = await recordsIn(redis);
  const before = new Map(entries);
  const isAsBefore = async (key: string): Promise<boolean> =>
    (await dumpOf(redis, key))?.equals(before.get(key)!) === true;
  const problems: string[] = [];
  let whole = 0;
  for (let seed = from; seed < from + count; seed += 1) {
    const random = randomFor(seed);
    const restored = redis.pipeline().flushall();
    for (const [key, dump] of entries) restored.restore(key, 0, dump);
    const answers = await restored.exec();
    const refused = answers?.find(([error]) => error !== null)?.[0];
    if (refused) throw refused;
    for (let times = random.between(1, 4); times > 0; times -= 1) await damage(redis, keys, random);
    const now = await recordsIn(redis);
    const alone = await Promise.all(
      ids
        .filter((id) => now.get(id) === records.get(id))
        .map(async (id) => ({ id, hasEvents: await isAsBefore(eventsKeyOf(id)) })),
    );
    whole += alone.length;
    // An append that is refused is tried again by the gateway's clock, which stands still.
    const found = await answerWithin(realClock, patienceMs, () => startOver(redis, alone), [
      'it does not answer',
    ]);
    problems.push(...found.map((problem) => `seed ${seed}: ${problem}`));
  }
  redis.disconnect();
  return { cases: count, whole, problems };
};
