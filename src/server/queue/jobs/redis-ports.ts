import { checkQueueOptions, openQueue, warningsOf } from './open-queue.js';
import type { EventLog } from '../../joblog/event-log.js';
import type { JobIndex } from '../../joblog/job-index.js';
import { mendRecords } from '../store/mend-records.js';
import type { QueueOptions } from '../options.js';
import { redisEventLog } from '../store/redis-event-log.js';
import { redisJobIndex } from '../store/redis-job-index.js';
import { redisTemplateStore } from '../store/redis-template-store.js';
import type { TemplateStore } from '../../joblog/template-store.js';

/** Options of {@link redisPorts}. */
export interface RedisPortsOptions extends Omit<QueueOptions, 'tier'> {
  /** The most jobs that are kept; default 10 000. At its bounds, the ended job that was submitted first makes room. */
  readonly maxJobs?: number | undefined;
  /** The most bytes of their records, as JSON; default 128 MiB. */
  readonly maxSize?: number | undefined;
  /** The most templates that callers save; default 10 000. */
  readonly maxTemplates?: number | undefined;
  /** The most bytes of these templates, as JSON; default 128 MiB. */
  readonly maxTemplateSize?: number | undefined;
}

/** Ports of a gateway in Redis. */
export interface RedisPorts {
  /** Which jobs there are, and whose they are. */
  readonly index: JobIndex;
  /** What became of them. */
  readonly log: EventLog;
  /** The templates that callers saved. */
  readonly templateStore: TemplateStore;
  /** Closes the connection, as `close` of each port does. */
  readonly close: () => Promise<void>;
}

/**
 * Keeps the jobs, keys, events and templates of a gateway in Redis, for any number of its processes: each of them serves the jobs and streams of all.
 *
 * A job that a process followed goes to another one once its lease is over. Each start mends damaged lists, keys and logs by the records of
 * the jobs, and `onWarning` says so. Rejects with `InvalidConfig` where ioredis or bullmq is not
 * installed, or the server refuses the connection. While Redis is unreachable, calls wait.
 *
 * @example
 * ```ts
 * import { bearerTokens, createGateway } from 'promptwire/gateway';
 * import { createJobQueue, redisPorts } from 'promptwire/queue';
 *
 * const account = { connection: 'redis://127.0.0.1:6379', name: 'pictures' };
 * const gateway = createGateway({
 *   queue: createJobQueue(account),
 *   authorize: bearerTokens({ web: 'a-long-random-token' }),
 *   ...(await redisPorts(account)),
 * });
 * ```
 */
export const redisPorts = async ({
  maxJobs,
  maxSize,
  maxTemplates,
  maxTemplateSize,
  ...options
}: RedisPortsOptions): Promise<RedisPorts> => {
  checkQueueOptions(options);
  const { redis, close: closeQueue } = await openQueue(options);
  // No queue has such a name.
  const name = `${options.name}:gateway`;
  const onDamage = warningsOf(options);
  await mendRecords({ redis, name, onDamage }).catch(async (error: unknown) => {
    await closeQueue();
    throw error;
  });
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= closeQueue());
  return {
    index: { ...redisJobIndex({ redis, name, maxJobs, maxSize, onDamage }), close },
    log: { ...redisEventLog({ redis, name, onDamage }), close },
    templateStore: { ...redisTemplateStore({ redis, name, maxTemplates, maxTemplateSize }), close },
    close,
  };
};
