import {
  acquireLeasesScript,
  addRecordScript,
  expireRecordsScript,
  removeRecordScript,
  renewLeasesScript,
  updateRecordScript,
} from './scripts/generated/scripts.js';
import type { JobIndex, JobRecord, JobRecordChange } from '../../joblog/job-index.js';
import { parseExactJson, writeExactJson } from '../../../core/protocol/json/exact-json.js';
import { type RedisClient, redisCommands } from '../redis/redis-client.js';
import { hashFields } from '../redis/redis-commands.js';
import { newestIds } from './newest-ids.js';
import { runScript, type Script } from './script.js';
import type { TerminalPhase } from '../../../core/state/job-state.js';

/** The gateway whose records are kept, by its name, its client of Redis, and the bounds of the index. */
export interface RedisJobIndexOptions {
  /** An open connection, which waits while the server is away (`maxRetriesPerRequest: null`); it stays the caller's. */
  readonly redis: RedisClient;
  /** A name that no other keys of the server have. */
  readonly name: string;
  /** The most records; default 10 000. */
  readonly maxJobs?: number | undefined;
  /** The most bytes of records, as JSON; default 128 MiB. */
  readonly maxSize?: number | undefined;
}

type Fields = readonly string[];

/**
 * Keeps the jobs of a gateway in Redis 7, for any number of processes, with the bounds of the index in memory.
 *
 * Every call is one atomic step, harmless where it is repeated, and durable once it resolves where the server has `appendfsync always`.
 * While the server is away, calls wait. Leases go by the server's clock.
 */
export const redisJobIndex = ({
  redis,
  name,
  maxJobs = 10_000,
  maxSize = 128 * 1024 * 1024,
}: RedisJobIndexOptions): JobIndex => {
  const prefix = `{promptwire:${name}}:`;
  const commands = redisCommands(redis);
  const run = (one: Script, ...args: readonly (string | number)[]): Promise<unknown> =>
    runScript(redis, one, prefix, ...args);
  const get = async (id: string): Promise<JobRecord | undefined> =>
    recordOf(await hashFields(commands, `${prefix}job:${id}`));

  return {
    add: async (record, lease) => {
      const { id, owner, key = '', createdAt, expiresAt } = record;
      const leased = [lease?.process ?? '', lease?.forMs ?? 0];
      const text = writeExactJson(record);
      const own = [id, owner, key, text, createdAt, expiresAt];
      const answer = await run(addRecordScript, ...own, ...leased, maxJobs, maxSize);
      const [result, fields] = answer as readonly ['added' | 'used' | 'full', readonly Fields[]];
      const records = recordsOf(fields);
      if (result === 'full') return { _tag: 'full' };
      if (result === 'added') return { _tag: 'added', evicted: records };
      const [existing] = records;
      return { _tag: 'keyUsed', ...(existing !== undefined && { existing }) };
    },
    update: async (id, change) => {
      await run(updateRecordScript, id, ...changedFields(change));
    },
    get,
    list: async (owner, { after, limit }) => {
      const jobs = owner === undefined ? `${prefix}jobs` : `${prefix}jobs-of:${owner}`;
      const ids = (await newestIds(commands, jobs, limit, after)) ?? [];
      return (await Promise.all(ids.map(get))).filter((record) => record !== undefined);
    },
    remove: async (id) => {
      await run(removeRecordScript, id);
    },
    expire: async (now) => recordsOf((await run(expireRecordsScript, now)) as readonly Fields[]),
    leases: {
      renew: async (ids, { process, forMs }) =>
        ids.length === 0 ? [] : ((await run(renewLeasesScript, process, forMs, ...ids)) as string[]),
      acquire: async ({ process, forMs }) =>
        recordsOf((await run(acquireLeasesScript, process, forMs)) as readonly Fields[]),
    },
  };
};

const changedFields = ({ promptId, cancelRequestedAt, expiresAt, ended }: JobRecordChange) =>
  Object.entries({ promptId, cancelRequestedAt, expiresAt, endedAt: ended?.at, phase: ended?.phase }).flatMap(
    ([name, value]) => (value === undefined ? [] : [name, value]),
  );

const recordsOf = (all: readonly Fields[]): readonly JobRecord[] =>
  all.map(recordOf).filter((record) => record !== undefined);

/** Reads names and values in turn; undefined where there are none. */
const recordOf = (fields: Fields): JobRecord | undefined => {
  const values = new Map<string, string>();
  for (let index = 0; index < fields.length; index += 2) {
    values.set(fields[index] ?? '', fields[index + 1] ?? '');
  }
  const text = values.get('record');
  if (text === undefined) return undefined;
  const [promptId, cancelRequestedAt] = [values.get('promptId'), values.get('cancelRequestedAt')];
  const [phase, at] = [values.get('phase') as TerminalPhase | undefined, values.get('endedAt')];
  return {
    ...(parseExactJson(text) as JobRecord),
    expiresAt: Number(values.get('expiresAt')),
    ...(promptId !== undefined && { promptId }),
    ...(cancelRequestedAt !== undefined && { cancelRequestedAt: Number(cancelRequestedAt) }),
    ...(phase !== undefined && { ended: { phase, at: Number(at) } }),
  };
};
