import { checkSettings } from '../store/check-settings.js';
import type { Clock } from '../../../core/platform/platform.js';
import type { EventLog } from '../../joblog/event-log.js';
import type { JobStore } from '../store/job-store.js';
import { loadPackages, type Packages } from '../engine/load.js';
import { openClient, refusedCluster } from '../redis/open-client.js';
import { type RedisClient, redisCommands } from '../redis/redis-client.js';
import type { RedisCommands } from '../redis/redis-commands.js';
import { isServerError, type NodeRedisClient } from '../redis/node-redis-commands.js';
import { openTurns, type Turns } from '../engine/turns.js';
import { publish } from '../telemetry/channels.js';
import { queueNews, type QueueNews } from '../follow/news.js';
import type { QueueOptions, QueueWorkerOptions } from '../options.js';
import { queuePreviews, type QueuePreviews } from '../follow/previews.js';
import { type QueueStore, redisQueueStore } from '../store/redis-queue-store.js';
import { realClock } from '../../../core/platform/clock.js';
import { redisEventLog } from '../store/redis-event-log.js';
import { redisJobStore } from '../store/redis-job-store.js';
import { serviceError } from '../../../core/errors/service-error.js';
import type { ServiceError } from '../../../core/errors/errors.js';
import { setSlots, slotsOf } from './slots.js';

/** The parts of an open queue. */
export interface OpenQueue {
  readonly packages: Packages;
  readonly redis: RedisClient;
  readonly store: JobStore;
  readonly whole: QueueStore;
  readonly log: EventLog;
  readonly turns: Turns;
  readonly news: QueueNews;
  readonly previews: QueuePreviews;
  readonly clock: Clock;
  readonly close: () => Promise<void>;
}

/** The options of a queue, and those bounds that only a worker has. */
export type OpenQueueOptions = QueueOptions & Pick<QueueWorkerOptions, 'maxPreviewBytes' | 'maxLogBytes'>;

/** A queue's name is part of its keys. */
const nameForm = /^[\w.-]{1,100}$/u;

/** Throws `InvalidConfig` for options that no queue can work with. */
export const checkQueueOptions = ({ name, tier }: Pick<QueueOptions, 'name' | 'tier'>): void => {
  if (typeof name !== 'string' || !nameForm.test(name)) {
    const message = 'name takes up to 100 letters, digits, dots, hyphens and underscores.';
    throw serviceError('InvalidConfig', { option: 'name', message });
  }
  const slots = tier === undefined ? 1 : slotsOf(tier);
  if (!(Number.isInteger(slots) && slots > 0)) {
    const message = 'tier takes the name of a tier, or a whole number above 0.';
    throw serviceError('InvalidConfig', { option: 'tier', message });
  }
};

/**
 * Connects to a queue, checks the settings of its server, and sets its number of slots where one is given.
 *
 * @param left - Ends the connection at once when it fires, also while the server is away.
 */
export const openQueue = async (
  { connection, name, tier, onWarning, connectWithinMs, maxWorkflowBytes, ...bounds }: OpenQueueOptions,
  left?: AbortSignal,
): Promise<OpenQueue> => {
  const packages = await loadPackages();
  const redis = await openClient(connection);
  const commands = redisCommands(redis);
  left?.addEventListener('abort', commands.close);
  if (left?.aborted === true) commands.close();
  const refused = await firstAnswer(redis, commands, connectWithinMs);
  if (refused !== undefined) {
    commands.close();
    throw refused;
  }
  const turns = openTurns(packages, redis, name);
  const warn = onWarning ?? ((message: string) => process.emitWarning(message, 'PromptwireQueue'));
  const tell = (message: string): void => {
    warn(message);
    publish('promptwire:queue:warning', () => ({ queue: name, message }));
  };
  for (const { message } of await checkSettings(commands)) tell(message);
  const { maxPreviewBytes, maxLogBytes } = bounds;
  const whole = redisQueueStore({ redis, name, maxLogBytes });
  if (tier !== undefined) await setSlots({ whole, turns }, tier);
  return {
    packages,
    redis,
    store: redisJobStore({ redis, name, elapsed: realClock.now, maxWorkflowBytes }),
    whole,
    log: redisEventLog({ redis, name }),
    turns,
    news: queueNews(redis, name),
    previews: queuePreviews(redis, name, { maxPreviewBytes, onTooLarge: tell }),
    clock: realClock,
    close: async () => {
      await turns.close();
      commands.close();
    },
  };
};

/** Why the server can't be used; undefined once it has answered. */
const firstAnswer = (
  redis: RedisClient,
  { send, address }: RedisCommands,
  withinMs: number | undefined,
): Promise<ServiceError | undefined> =>
  new Promise((resolve) => {
    const silent = serviceError('Network', {
      message: `Redis does not answer at ${address()}.`,
      hint: 'Check that the server runs, and its address.',
      code: 'ETIMEDOUT',
      sent: false,
    });
    const cancel = withinMs === undefined ? undefined : realClock.after(withinMs, () => resolve(silent));
    const answered = (refusal?: ServiceError): void => {
      cancel?.();
      resolve(refusal);
    };
    const refuse = (error: unknown): void => {
      const reason = error instanceof Error ? error.message : 'no reason';
      const message = `Redis refuses the connection to ${address()}: ${reason}`;
      answered(serviceError('InvalidConfig', { option: 'connection', message }));
    };
    // A refusal at the handshake ends a client of node-redis, and its calls say no more than that.
    (redis as NodeRedisClient).on('error', (cause) => {
      if (isServerError(cause)) refuse(cause);
    });
    send('PING')
      .then(() => isCluster(send))
      .then((isOne) => answered(isOne ? refusedCluster() : undefined), refuse);
  });

/** Whether the server is a node of a cluster; a server that does not tell is taken for none. */
const isCluster = async (send: RedisCommands['send']): Promise<boolean> =>
  /^cluster_enabled:1/mu.test(String(await send('INFO', 'cluster').catch(() => '')));
