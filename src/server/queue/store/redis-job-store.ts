import { realClock } from '../../../core/platform/clock.js';
import { newEpoch } from '../../joblog/new-epoch.js';
import { writeExactJson } from '../../../core/protocol/json/exact-json.js';
import {
  addScript,
  answeredScript,
  cancelScript,
  intendScript,
  leaveScript,
  refusedScript,
  setAsideJobScript,
  takeScript,
} from './scripts/generated/scripts.js';
import { cancelledEvent } from './ended-event.js';
import type { JobStore, QueuePhase } from './job-store.js';
import { defaultWorkflowBytes, pack, unpack } from './pack.js';
import { readRecord } from './read-record.js';
import { type RedisClient, redisCommands } from '../redis/redis-client.js';
import { noPatience, type Patience } from '../redis/patience.js';
import { isOfAnotherType } from './mend-queue.js';
import { placedError } from './placed-error.js';
import { hashFields } from '../redis/redis-commands.js';
import { runScript, type Script } from './script.js';
import { serviceError } from '../../../core/errors/service-error.js';
import type { Intent } from '../policy/intent.js';
import type { StoreClock } from './store-clock.js';

/** The queue whose jobs are stored, its client of Redis, and the bound of a workflow. */
export interface RedisJobStoreOptions {
  /** An open connection, which waits while the server is unreachable (`maxRetriesPerRequest: null`); it stays the caller's. */
  readonly redis: RedisClient;
  /** The name of the queue. */
  readonly name: string;
  /** How many bytes a workflow may have, compressed; default 32 MiB. */
  readonly maxWorkflowBytes?: number | undefined;
  /** The clock of the server, which this store sets by its answers. */
  readonly time: StoreClock;
  /** What becomes of a call that the server refuses; default it rejects. */
  readonly patience?: Patience | undefined;
}

/**
 * Keeps the jobs of a queue in Redis 7.
 *
 * Every change is one script, and an answer of the server says that it is durable where the server has `appendfsync always`. All keys
 * begin with `{promptwire:NAME}:`. Moments are the server's, so the clocks of the machines may differ.
 */
export const redisJobStore = ({
  redis,
  name,
  time,
  maxWorkflowBytes = defaultWorkflowBytes,
  patience = noPatience,
}: RedisJobStoreOptions): JobStore => {
  const prefix = `{promptwire:${name}}:`;
  const commands = redisCommands(redis);

  const run = (one: Script, ...args: readonly (string | number | Buffer)[]): Promise<unknown> =>
    patience(() => runScript(redis, one, prefix, ...args));

  const addAll: JobStore['addAll'] = async (jobs) => {
    const args: (string | number | Buffer)[] = [];
    // One after the other, so that the memory of one compression is enough.
    for (const [index, { id, tenant = '', priority = 0, key = '', delayMs = '', ...job }] of jobs.entries()) {
      const { events = [], work = '', files = [], ...stored } = job;
      const packed = await pack(stored, maxWorkflowBytes).catch((error: unknown) => {
        throw placedError(error, index, jobs.length);
      });
      const named = files.length === 0 ? '' : JSON.stringify(files);
      args.push(id, tenant, priority, key, delayMs, packed, work, named, events.length);
      for (const event of events) args.push(writeExactJson(event));
    }
    checkSize(args);
    const [known, now, number, missing] = (await run(addScript, newEpoch(), 'add', ...args)) as AddReply;
    time.set(now);
    if (missing !== undefined) throw placedError(noFile(missing), (number ?? 1) - 1, jobs.length);
    return known.length < jobs.length ? undefined : known;
  };

  return {
    now: time.now,
    add: async (job) => (await addAll([job]))?.[0],
    addAll,
    take: async (token, worker, lock, slots) => {
      const locked = lock ? [lock.key, lock.token] : [];
      const answer = (await run(takeScript, token, worker, slots ?? '', ...locked)) as
        readonly [] | readonly [string, number, readonly string[]];
      if (answer.length === 0) return undefined;
      const [id, now, fields] = answer;
      time.set(now);
      const { fence, job } = readRecord(id, fields);
      const { intent, promptId } = job;
      return { id, fence, job, record: { intent, promptId } };
    },
    intend: async ({ id, fence }, intent) => {
      const kept = (await run(intendScript, id, fence, JSON.stringify(intent))) as string | null;
      return kept === null ? undefined : (JSON.parse(kept) as Intent);
    },
    answered: async (id, submissionId, promptId) =>
      ((await run(answeredScript, id, submissionId, promptId)) as string | null) ?? undefined,
    refused: async (id, { submissionId, attempt }) => {
      await run(refusedScript, id, submissionId, attempt);
    },
    leave: async ({ id, fence }, phase, reason = '', outcome = 'failed') =>
      (await run(leaveScript, id, fence, phase, reason, outcome)) === 1,
    cancel: async (id) =>
      ((await run(
        cancelScript,
        id,
        newEpoch(),
        writeExactJson({ type: 'cancelRequested', at: realClock.wall() }),
        writeExactJson(cancelledEvent(realClock.wall())),
      )) as QueuePhase | null) ?? undefined,
    get: async (id) => {
      const fields = await hashFields(commands, `${prefix}job:${id}`);
      if (fields.length === 0) return undefined;
      return readRecord(id, fields).job;
    },
    workflow: async (id) => {
      const packed = await commands.sendForBytes('GET', `${prefix}workflow:${id}`).catch(ofAnotherType);
      if (packed === null) return undefined;
      return typeof packed === 'string' ? packed : unpack(packed).catch(() => 'unreadable');
    },
    setAside: async (id, part) => (await run(setAsideJobScript, id, part)) === 1,
    setWeight: async (tenant, weight) => {
      if (!(weight > 0 && weight < Infinity)) {
        throw serviceError('InvalidConfig', { option: 'weight', message: 'A weight is a number above 0.' });
      }
      await commands.send('HSET', `${prefix}weights`, tenant, weight);
    },
    unclaimed: async (id, promptIds) => {
      if (promptIds.length === 0) return [];
      const owners = (await commands.send('HMGET', `${prefix}prompts`, ...promptIds)) as (string | null)[];
      return promptIds.filter((_, index) => [null, id].includes(owners[index] ?? null));
    },
  };
};

/** What a client rejects with where a key holds something else. */
const ofAnotherType = (error: unknown): 'unreadable' => {
  if (isOfAnotherType(error)) return 'unreadable';
  throw error;
};

type AddReply = readonly [ids: string[], now: number, number?: number, missing?: string];

const noFile = (hash: string): Error =>
  serviceError('NotFound', {
    message: `The workflow names a file that the queue has not got: promptwire-${hash}.`,
    hint: 'Upload it again, and name what that gives: a file that no open job names is forgotten after a day.',
  });

/** What one step may write: Redis takes one GiB for a command, where a server sets no other bound. */
const maxBytes = 512 * 2 ** 20;

const checkSize = (args: readonly (string | number | Buffer)[]): void => {
  const bytes = args.reduce<number>((sum, arg) => sum + (typeof arg === 'number' ? 8 : arg.length), 0);
  if (bytes <= maxBytes) return;
  const message = `These jobs have ${bytes} bytes, compressed; one call adds at most ${maxBytes}.`;
  throw serviceError('TooLarge', { message, hint: 'Add them by several calls.' });
};
