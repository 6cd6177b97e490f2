import {
  againScript,
  serversScript,
  snapshotScript,
  placeScript,
  takeOpenScript,
} from '../store/scripts/generated/scripts.js';
import {
  type KnownServer,
  listIn,
  type QueueSnapshot,
  type SnapshotReply,
  readSnapshot,
  readServers,
  type ServerReply,
} from './queue-snapshot.js';
import { hashFields } from '../redis/redis-commands.js';
import { isJsonObject } from '../../../core/protocol/json/json.js';
import { isListOf, isNumber, isText } from '../store/event-shapes.js';
import type { HeldJob } from '../policy/submission-ports.js';
import type { LifecycleEvent } from '../../../core/events/job-log-event.js';
import { newEpoch } from '../../joblog/new-epoch.js';
import type { QueueRecord } from '../store/job-store.js';
import { readRecord } from '../store/read-record.js';
import { readStoredJson } from '../store/read-stored-json.js';
import { type RedisClient, redisCommands } from '../redis/redis-client.js';
import { runScript, type Script } from '../store/script.js';
import type { StoreClock } from '../store/store-clock.js';
import { writeExactJson } from '../../../core/protocol/json/exact-json.js';

/** A job that a worker got for one of its servers. */
export interface PlacedJob extends HeldJob {
  readonly job: QueueRecord;
  /** The server; an empty text for a job that no server can run. */
  readonly server: string;
  /** The models of the job that the server got before it. */
  readonly modelsBefore: readonly string[];
}

/** What the last runs took, for all workers alike. */
export interface RunRecord {
  readonly server: string;
  readonly shape: string;
  readonly models: readonly string[];
  readonly modelsBefore: readonly string[];
  readonly guessMs: number;
  readonly guessLoadMs: number;
  readonly ms: number;
}

/** The servers of a queue in its store. Each call is one atomic step. */
export interface ServerStore {
  /**
   * Renews the worker for `aliveMs` with its reports, and gives a snapshot of the queue with at most `most` of its waiting jobs. A job that the
   * worker holds and does not name among those that it runs waits again.
   */
  readonly snapshot: (
    worker: string,
    aliveMs: number,
    report: string,
    most: number,
    running?: readonly string[],
  ) => Promise<QueueSnapshot>;
  /** What is known of the servers, for those who are no worker. */
  readonly servers: () => Promise<{
    readonly now: number;
    readonly servers: ReadonlyMap<string, KnownServer>;
  }>;
  /** Gives a waiting job to a server with a free slot; undefined if it no longer has one, or the job no longer waits. */
  readonly place: (
    job: {
      readonly id: string;
      readonly server: string;
      readonly slots: number;
      readonly expectedMs: number;
      readonly models: readonly string[];
    },
    worker: string,
    aliveMs: number,
  ) => Promise<PlacedJob | undefined>;
  /** Gives a job that one of these servers may have, and that no worker holds. */
  readonly takeOpen: (
    servers: readonly string[],
    worker: string,
    aliveMs: number,
  ) => Promise<PlacedJob | undefined>;
  /** Has a job submitted once more; false if its holder or its server is another one by now. */
  readonly again: (job: AgainJob) => Promise<boolean>;
  /** Pauses or drains a server, for a reason; undefined has it take jobs again. */
  readonly setMode: (
    server: string,
    mode: 'paused' | 'draining' | undefined,
    reason?: string,
  ) => Promise<void>;
  readonly count: (kind: 'done' | 'failed' | 'late', server: string) => Promise<void>;
  /** The jobs of servers that were given up, and of which it is not known whether they ended. */
  readonly givenUp: () => Promise<readonly (readonly [promptId: string, server: string])[]>;
  /** Forgets a worker that has closed. */
  readonly leave: (worker: string) => Promise<void>;
  /** Counts a job that was given up and ended after all, once. */
  readonly lateEnd: (promptId: string, server: string, hasEnded: boolean) => Promise<void>;
  readonly addRun: (run: RunRecord) => Promise<void>;
  /** The runs after one, with the position of the last of them. */
  readonly runsAfter: (
    position: string,
  ) => Promise<{ readonly runs: readonly RunRecord[]; readonly position: string }>;
}

/** A job that is submitted once more. */
export interface AgainJob {
  readonly id: string;
  readonly server: string;
  /** By its holder, or else because no worker has reached the server for so long. */
  readonly by: { readonly fence: number } | { readonly awayMs: number };
  /** Its server lost it, refused it, or ended it as failed; in the last two cases these servers are not to have it. */
  readonly why:
    | { readonly _tag: 'lost' }
    | {
        readonly _tag: 'refused' | 'failed';
        readonly reason: string;
        readonly servers: readonly string[];
      };
  /** The first event of the new beginning, which tells the attempt. */
  readonly event?: (attempt: number) => LifecycleEvent;
}

/** How long after its last worker a server is forgotten, in milliseconds. */
const forgetServersMs = 3_600_000;
/** How many runs are kept, for workers that begin. */
const runsKept = 1_000;

/** Keeps the servers of a queue in Redis, beside its jobs. */
export const serverStore = ({
  redis,
  name,
  time,
}: {
  readonly redis: RedisClient;
  readonly name: string;
  /** The clock of the server, which this store sets by its answers. */
  readonly time: Pick<StoreClock, 'set'>;
}): ServerStore => {
  const prefix = `{promptwire:${name}}:`;
  const commands = redisCommands(redis);
  const { send } = commands;
  const run = (one: Script, ...args: readonly (string | number)[]): Promise<unknown> =>
    runScript(redis, one, prefix, ...args);
  const rerunsOf = async (id: string): Promise<number> =>
    Number((await send('HGET', `${prefix}job:${id}`, 'reruns')) ?? 0);
  const placed = (reply: unknown, server: string): PlacedJob | undefined => {
    const [id, now, fields, before] = reply as Partial<PlacedReply>;
    if (id === undefined || now === undefined || fields === undefined) return undefined;
    time.set(now);
    const { fence, job } = readRecord(id, fields);
    const { intent, promptId } = job;
    const modelsBefore = listIn(before ?? '');
    return { id, fence, job, record: { intent, promptId }, server: job.server ?? server, modelsBefore };
  };

  return {
    snapshot: async (worker, aliveMs, report, most, running) => {
      const runs = running === undefined ? [] : [JSON.stringify(running)];
      const call = [worker, aliveMs, report, most, forgetServersMs, ...runs];
      return readSnapshot((await run(snapshotScript, ...call)) as SnapshotReply);
    },
    servers: async () => {
      const [now, reports, servers] = (await run(serversScript)) as readonly [
        number,
        readonly (readonly string[])[],
        readonly ServerReply[],
      ];
      return { now, servers: readServers(reports, servers) };
    },
    place: async ({ id, server, slots, expectedMs, models }, worker, aliveMs) => {
      const asked = models.length === 0 ? '' : JSON.stringify(models);
      const expected = Math.round(expectedMs);
      return placed(await run(placeScript, worker, aliveMs, id, server, slots, expected, asked), server);
    },
    takeOpen: async (servers, worker, aliveMs) =>
      placed(await run(takeOpenScript, worker, aliveMs, usualMs, ...servers), ''),
    again: async ({ id, server, by, why, event }) => {
      const who = 'fence' in by ? [by.fence, ''] : ['', by.awayMs];
      const text = event === undefined ? '' : writeExactJson(event((await rerunsOf(id)) + 2));
      const [reason, without] = why._tag === 'lost' ? ['', []] : [why.reason, why.servers];
      const call = [id, server, ...who, newEpoch(), text, why._tag, reason, ...without];
      return (await run(againScript, ...call)) === 1;
    },
    setMode: async (server, mode, reason) => {
      if (mode === undefined) await send('HDEL', `${prefix}modes`, server);
      else await send('HSET', `${prefix}modes`, server, JSON.stringify({ mode, reason }));
      await send('PUBLISH', mode === undefined ? `${prefix}resumed` : `${prefix}changed`, '');
    },
    count: async (kind, server) => {
      await send('HINCRBY', `${prefix}tally`, `${kind} ${server}`, 1);
    },
    givenUp: async () => {
      const fields = await hashFields(commands, `${prefix}givenUp`);
      return fields.flatMap((server, index) =>
        index % 2 === 0 ? [] : [[fields[index - 1] ?? '', server] as const],
      );
    },
    leave: async (worker) => {
      await send('DEL', `${prefix}worker:${worker}`);
    },
    lateEnd: async (promptId, server, hasEnded) => {
      await send('HDEL', `${prefix}on:${server}`, `late:${promptId}`);
      const isFirst = (await send('HDEL', `${prefix}givenUp`, promptId)) === 1;
      if (isFirst && hasEnded) await send('HINCRBY', `${prefix}tally`, `late ${server}`, 1);
    },
    addRun: async (one) => {
      await send('XADD', `${prefix}runs`, 'MAXLEN', '~', runsKept, '*', 'run', JSON.stringify(one));
    },
    runsAfter: async (position) => {
      const entries = (await send('XRANGE', `${prefix}runs`, `(${position}`, '+')) as readonly (readonly [
        string,
        readonly string[],
      ])[];
      const runs = entries.flatMap(([, [, text = '']]) => readRun(text) ?? []);
      return { runs, position: entries.at(-1)?.[0] ?? position };
    },
  };
};

type PlacedReply = readonly [id: string, now: number, fields: readonly string[], before: string];

/** The expected duration of a job that is taken over, in milliseconds: when it began is not known. */
const usualMs = 10_000;

/** Undefined for what no worker has written. */
const readRun = (text: string): RunRecord | undefined => {
  const run = readStoredJson(text);
  const isWhole =
    isJsonObject(run) &&
    [run['server'], run['shape']].every(isText) &&
    [run['ms'], run['guessMs'], run['guessLoadMs']].every(isNumber) &&
    [run['models'], run['modelsBefore']].every(isListOf(isText));
  return isWhole ? (run as unknown as RunRecord) : undefined;
};
