import { redisCommands } from '../redis/redis-client.js';
import { hashFields, type RedisArgument } from '../redis/redis-commands.js';
import { imageField, packImage, readImage } from './packed-image.js';
import type { ImagePlace, JobImage, JobImages } from '../../joblog/job-images.js';
import { noPatience } from '../redis/patience.js';
import { refusalWords } from '../redis/refusal.js';
import { newestBelow } from './newest-ids.js';
import { realClock } from '../../../core/platform/clock.js';
import { cancelledEvent } from './ended-event.js';
import {
  appendHeldScript,
  clearScript,
  overdueScript,
  progressScript,
  pruneScript,
  putImageScript,
  resolveScript,
  statsScript,
} from './scripts/generated/scripts.js';
import type { HeldJob } from '../policy/submission-ports.js';
import type { JobProgress, LifecycleEvent } from '../../../core/events/job-log-event.js';
import { newEpoch } from '../../joblog/new-epoch.js';
import type { QueueRetention } from '../options.js';
import type { QueueRecord } from './job-store.js';
import { readProgress, readRecord } from './read-record.js';
import type { RedisJobStoreOptions } from './redis-job-store.js';
import { runScript, type Script } from './script.js';
import { writeExactJson } from '../../../core/protocol/json/exact-json.js';
import { uuid } from '../../../core/platform/uuid.js';

/** How many jobs are in each phase, and what else the store counts. */
export interface StoreStats {
  readonly waiting: number;
  readonly delayed: number;
  readonly held: number;
  readonly unknown: number;
  readonly ended: number;
  readonly draining: boolean;
  /** Why the queue is paused; absent if it is not. */
  readonly paused?: string;
  /** How many jobs the account runs at once. */
  readonly slots: number;
  /** Slots that jobs of other programs use, as a worker has seen lately. */
  readonly external: number;
  /** How many records could not be read. */
  readonly damaged: number;
  /** The words with which the server takes no writes now; absent if it does. */
  readonly refused?: string;
}

/** Which events of a call the log of a job keeps. */
export type KeptEvents = 'none' | 'all' | 'some';

const keptEvents: readonly KeptEvents[] = ['none', 'all', 'some'];

/** A page of the jobs of a queue. */
export interface RecordPage {
  readonly records: readonly QueueRecord[];
  /** The rank that the next page begins below, which counts whatever became of the job there; absent on the last page. */
  readonly next?: string;
}

/** The queue as a whole, beside its single jobs. Each call is one atomic step. */
export interface QueueStore {
  readonly stats: () => Promise<StoreStats>;
  /** Jobs from the newest on, those below a rank. */
  readonly page: (limit: number, before?: string) => Promise<RecordPage>;
  /**
   * Adds events of a job that this worker holds, and tells which it kept: `some` where there is no room for all in the log of the job,
   * `none` where the worker does not hold it any more. The last one of a `final` call is kept at any size.
   */
  readonly append: (
    job: Pick<HeldJob, 'id' | 'fence'>,
    tenant: string,
    events: readonly LifecycleEvent[],
    final: boolean,
  ) => Promise<KeptEvents>;
  /** The pictures that jobs sent over the socket: `put` is of jobs that this worker holds. */
  readonly images: (job: Pick<HeldJob, 'id' | 'fence'>) => JobImages;
  /** A picture of a job, also of one that has ended. */
  readonly image: (id: string, place: ImagePlace) => Promise<JobImage | undefined>;
  /** Keeps and publishes the latest progress of a job that this worker holds. */
  readonly progress: (job: Pick<HeldJob, 'id' | 'fence'>, progress: JobProgress) => Promise<void>;
  /** The latest progress of a job. */
  readonly latestProgress: (id: string) => Promise<JobProgress | undefined>;
  /** Ends every job that waits and that the service has not; gives how many. */
  readonly clear: () => Promise<number>;
  readonly setDraining: (isDraining: boolean) => Promise<void>;
  readonly setPaused: (reason: string | undefined) => Promise<void>;
  /** Sets the slots; with `NX` where the server knows of none. */
  readonly setSlots: (slots: number, ...condition: readonly 'NX'[]) => Promise<void>;
  /** Keeps how many slots jobs of other programs use, for so many milliseconds. */
  readonly setExternal: (jobs: number, keptMs: number) => Promise<void>;
  /** Those of these jobs of the service that belong to no job of the queue. */
  readonly externalOf: (promptIds: readonly string[]) => Promise<readonly string[]>;
  /** Has an unknown job submitted again, or ends it. */
  readonly resolve: (id: string, decision: 'resubmit' | 'forget') => Promise<void>;
  /** Forgets jobs that ended: those beyond a number, of an age in milliseconds, and beyond so many bytes. */
  readonly prune: (retention: Required<QueueRetention>) => Promise<void>;
  /** The slot tokens that have a job. */
  readonly heldTokens: () => Promise<readonly string[]>;
  /** The delayed jobs whose time came that long ago. */
  readonly overdue: (sinceMs: number) => Promise<readonly string[]>;
}

/** How many bytes of events a job may have, as JSON, where a worker sets no other bound: 8 MiB. */
export const defaultLogBytes = 8 * 2 ** 20;
/** How many jobs one step ends or forgets. */
const batch = 200;

/** The queue, its client of Redis, and the bound of a job's log. */
export interface RedisQueueStoreOptions extends Pick<RedisJobStoreOptions, 'redis' | 'name' | 'patience'> {
  readonly maxLogBytes?: number | undefined;
}

/** Keeps the queue in Redis, beside `redisJobStore`. */
export const redisQueueStore = ({
  redis,
  name,
  maxLogBytes = defaultLogBytes,
  patience = noPatience,
}: RedisQueueStoreOptions): QueueStore => {
  const prefix = `{promptwire:${name}}:`;
  const commands = redisCommands(redis);
  const { send } = commands;
  const run = (one: Script, ...args: readonly RedisArgument[]): Promise<unknown> =>
    runScript(redis, one, prefix, ...args);
  const image: QueueStore['image'] = (id, place) => readImage(commands, `${prefix}images:${id}`, place);

  return {
    stats: async () => {
      const answer = (await run(statsScript)) as Stats;
      const [waiting, delayed, held, unknown, ended, draining, paused, ...rest] = answer;
      const [slots, external, damaged, refused] = rest;
      return {
        waiting,
        delayed,
        held,
        unknown,
        ended,
        draining: draining === 1,
        ...(paused !== '' && { paused }),
        slots,
        external,
        damaged,
        ...(refused !== '' && { refused: refusalWords(refused) }),
      };
    },
    page: async (limit, before) => {
      const { ids, next } = await newestBelow(commands, `${prefix}jobs`, limit, before);
      const all = await Promise.all(ids.map((id) => hashFields(commands, `${prefix}job:${id}`)));
      const records = all.flatMap((fields, index) =>
        fields.length === 0 ? [] : [readRecord(ids[index] ?? '', fields).job],
      );
      return { records, ...(next !== undefined && { next }) };
    },
    append: async ({ id, fence }, tenant, events, final) => {
      const texts = events.map((event) => writeExactJson(event));
      const bounds = [fence, maxLogBytes, final ? '1' : ''];
      const call = [tenant, id, newEpoch(), uuid(), 'worker', ...bounds, ...texts];
      const kept = await patience(() => run(appendHeldScript, ...call));
      return keptEvents[kept as number] ?? 'none';
    },
    images: ({ id, fence }) => ({
      put: async (_, place, one) =>
        (await run(putImageScript, id, fence, imageField(place), packImage(one))) === 1,
      get: image,
    }),
    image,
    progress: async ({ id, fence }, progress) => {
      await run(progressScript, id, fence, writeExactJson(progress));
    },
    latestProgress: async (id) => {
      const text = (await send('HGET', `${prefix}job:${id}`, 'progress')) as string | null;
      return text === null ? undefined : readProgress(text);
    },
    clear: async () => {
      let all = 0;
      for (;;) {
        const event = writeExactJson(cancelledEvent(realClock.wall()));
        const cleared = (await run(clearScript, batch, 'cleared', newEpoch(), event)) as number;
        all += cleared;
        if (cleared < batch) return all;
      }
    },
    setDraining: async (isDraining) => {
      if (isDraining) await send('SET', `${prefix}draining`, '1');
      else await send('DEL', `${prefix}draining`);
    },
    setPaused: async (reason) => {
      if (reason === undefined) {
        await send('DEL', `${prefix}paused`);
        await send('PUBLISH', `${prefix}resumed`, '');
      } else await send('SET', `${prefix}paused`, reason);
    },
    setSlots: async (slots, ...condition) => {
      await send('SET', `${prefix}slots`, slots, ...condition);
    },
    setExternal: async (jobs, keptMs) => {
      await send('SET', `${prefix}foreign`, jobs, 'PX', keptMs);
    },
    externalOf: async (promptIds) => {
      if (promptIds.length === 0) return [];
      const owners = (await send('HMGET', `${prefix}prompts`, ...promptIds)) as (string | null)[];
      return promptIds.filter((_, index) => owners[index] === null);
    },
    resolve: async (id, decision) => {
      await run(resolveScript, id, decision);
    },
    prune: async ({ count, ageMs, bytes }) => {
      while (((await run(pruneScript, batch, count, ageMs, bytes)) as number) === batch);
    },
    heldTokens: () => send('HKEYS', `${prefix}turns`) as Promise<string[]>,
    overdue: async (sinceMs) => (await run(overdueScript, sinceMs)) as string[],
  };
};

type Stats = readonly [
  number,
  number,
  number,
  number,
  number,
  number,
  string,
  number,
  number,
  number,
  string,
];
