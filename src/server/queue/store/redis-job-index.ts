import {
  acquireLeasesScript,
  addRecordScript,
  expireRecordsScript,
  probeScript,
  putRecordImageScript,
  removeRecordScript,
  renewLeasesScript,
  setAsideRecordScript,
  updateRecordScript,
} from './scripts/generated/scripts.js';
import type { JobIndex, JobRecord, JobRecordChange } from '../../joblog/job-index.js';
import { writeExactJson } from '../../../core/protocol/json/exact-json.js';
import { writeMembers } from '../../../core/protocol/json/write-once.js';
import { type RedisClient, redisCommands } from '../redis/redis-client.js';
import { hashFields, type RedisArgument } from '../redis/redis-commands.js';
import { imageField, packImage, readImage } from './packed-image.js';
import { inSlices } from '../../../core/platform/in-slices.js';
import { newestIds } from './newest-ids.js';
import { realClock } from '../../../core/platform/clock.js';
import { type Fields, readingGatewayRecord } from './read-gateway-record.js';
import { runScript, type Script } from './script.js';
import { textArgument } from './text-argument.js';
import { turnForLargeText } from '../../joblog/turn-for-large.js';

/** The gateway whose records are kept, by its name, its client of Redis, and the bounds of the index. */
export interface RedisJobIndexOptions {
  /** An open connection, which waits while the server is unreachable (`maxRetriesPerRequest: null`); it stays the caller's. */
  readonly redis: RedisClient;
  /** A name that no other keys of the server have. */
  readonly name: string;
  /** The most records; default 10 000. */
  readonly maxJobs?: number | undefined;
  /** The most bytes of records, as JSON; default 128 MiB. */
  readonly maxSize?: number | undefined;
  /** Gets a sentence for each record that can't be read, of one process alone; default it is not said. */
  readonly onDamage?: ((message: string) => void) | undefined;
}

/**
 * Keeps the jobs of a gateway in Redis 7, for any number of processes, with the bounds of the index in memory.
 *
 * Every call is one atomic step, harmless where it is repeated, and durable once it resolves where the server has `appendfsync always`.
 * While the server is unreachable, calls wait. Leases go by the server's clock. A record that can't be read is kept in `damaged`, and one that
 * stands for it takes its place.
 */
export const redisJobIndex = ({
  redis,
  name,
  maxJobs = 10_000,
  maxSize = 128 * 1024 * 1024,
  onDamage,
}: RedisJobIndexOptions): JobIndex => {
  const prefix = `{promptwire:${name}}:`;
  const commands = redisCommands(redis);
  const run = (one: Script, ...args: readonly RedisArgument[]): Promise<unknown> =>
    runScript(redis, one, prefix, ...args);
  const setAside = async (standIn: JobRecord): Promise<void> => {
    const { id, owner } = standIn;
    if ((await run(setAsideRecordScript, id, writeExactJson(standIn))) !== 1) return;
    onDamage?.(`The record of the job ${id} of ${owner} can't be read: it is kept in ${prefix}damaged.`);
  };
  /** A large record is read in turns of its own: those of a list come together. */
  const recordOf = async (fields: Fields): Promise<readonly JobRecord[]> => {
    await turnForLargeText(...fields);
    const read = await inSlices(readingGatewayRecord(fields), realClock);
    if (read === undefined) return [];
    if (read.standIn !== undefined) void setAside(read.standIn).catch(() => undefined);
    return [read.record];
  };
  const recordsOf = async (all: readonly Fields[]): Promise<readonly JobRecord[]> => {
    const records: JobRecord[] = [];
    for (const fields of all) records.push(...(await recordOf(fields)));
    return records;
  };
  const fieldsOf = async (id: string): Promise<Fields> => {
    const fields = await hashFields(commands, `${prefix}job:${id}`);
    return fields.length === 0 ? fields : [...fields, 'id', id];
  };

  return {
    add: async (record, lease, share) => {
      const { id, owner, key = '', createdAt, expiresAt } = record;
      const leased = [lease?.process ?? '', lease?.forMs ?? 0];
      const text = await textArgument(writeMembers(record));
      const own = [id, owner, key, text, createdAt, expiresAt];
      const answer = await run(addRecordScript, ...own, ...leased, maxJobs, maxSize, share?.maxSize ?? '');
      const [result, fields] = answer as readonly ['added' | 'used' | 'owner' | 'all', readonly Fields[]];
      const records = await recordsOf(fields);
      if (result === 'owner' || result === 'all') return { _tag: 'full', whose: result };
      if (result === 'added') return { _tag: 'added', evicted: records };
      const [existing] = records;
      return { _tag: 'keyUsed', ...(existing !== undefined && { existing }) };
    },
    update: async (id, change) => {
      await run(updateRecordScript, id, ...changedFields(change));
    },
    get: async (id) => (await recordOf(await fieldsOf(id)))[0],
    has: async (id) => Number(await commands.send('HEXISTS', `${prefix}job:${id}`, 'owner')) === 1,
    list: async (owner, { after, limit }) => {
      const jobs = owner === undefined ? `${prefix}jobs` : `${prefix}jobs-of:${owner}`;
      const ids = (await newestIds(commands, jobs, limit, after)) ?? [];
      return recordsOf(await Promise.all(ids.map(fieldsOf)));
    },
    probe: async () => {
      await run(probeScript);
    },
    remove: async (id) => {
      await run(removeRecordScript, id);
    },
    expire: async (now) => recordsOf((await run(expireRecordsScript, now)) as readonly Fields[]),
    damaged: async () => Number(await commands.send('HLEN', `${prefix}damaged`)),
    images: {
      put: async (id, place, image) =>
        (await run(putRecordImageScript, id, imageField(place), packImage(image), maxSize)) === 1,
      get: (id, place) => readImage(commands, `${prefix}images:${id}`, place),
    },
    leases: {
      renew: async (ids, { process, forMs }) =>
        ids.length === 0 ? [] : ((await run(renewLeasesScript, process, forMs, ...ids)) as string[]),
      acquire: async ({ process, forMs }) =>
        recordsOf((await run(acquireLeasesScript, process, forMs)) as readonly Fields[]),
    },
  };
};

const changedFields = ({ promptId, place, cancelRequestedAt, expiresAt, ended }: JobRecordChange) =>
  Object.entries({
    ...{ promptId, cancelRequestedAt, expiresAt, endedAt: ended?.at, phase: ended?.phase },
    place: place && JSON.stringify(place),
  }).flatMap(([name, value]) => (value === undefined ? [] : [name, value]));
