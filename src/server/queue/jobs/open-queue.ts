import { answerWithin } from '../../../core/platform/answer-within.js';
import { checkConnection } from '../redis/check-connection.js';
import { checkRights } from '../store/check-rights.js';
import { checkSettings } from '../store/check-settings.js';
import { connectionTrouble, type ConnectionTrouble } from '../redis/connection-trouble.js';
import { checkLogger } from '../../../core/http/check-logger.js';
import { type Logger, readLogger } from '../../../core/log/logger.js';
import type { Clock } from '../../../core/platform/platform.js';
import type { EventLog } from '../../joblog/event-log.js';
import type { JobStore } from '../store/job-store.js';
import { loadPackages, type Packages } from '../engine/load.js';
import { openClient, refusedCluster } from '../redis/open-client.js';
import { type RedisClient, redisCommands } from '../redis/redis-client.js';
import type { RedisCommands } from '../redis/redis-commands.js';
import { isServerError, type NodeRedisClient } from '../redis/node-redis-commands.js';
import { noPatience, type Patience } from '../redis/patience.js';
import { notOverServers, type QueueKind, queueKind, slotsOfServersHint } from '../store/queue-kind.js';
import { openSlotTokens, slotTokensOf, type SlotTokens } from '../engine/slot-tokens.js';
import { publish } from '../telemetry/channels.js';
import { queueNotifications, type QueueNotifications } from '../follow/notifications.js';
import type { JobQueueOptions, QueueOptions, QueueWorkerOptions } from '../options.js';
import { queuePreviews, type QueuePreviews } from '../follow/previews.js';
import { type FileStore, redisFileStore } from '../store/redis-file-store.js';
import { type QueueStore, redisQueueStore } from '../store/redis-queue-store.js';
import { realClock } from '../../../core/platform/clock.js';
import { redisEventLog } from '../store/redis-event-log.js';
import { redisJobStore } from '../store/redis-job-store.js';
import { serviceError } from '../../../core/errors/service-error.js';
import { queueMender, type QueueMender } from '../store/mend-queue.js';
import type { ServiceError } from '../../../core/errors/errors.js';
import { setSlots, slotsOf } from './slots.js';
import { type StoreClock, storeClock } from '../store/store-clock.js';

/** The parts of an open queue. */
export interface OpenQueue {
  readonly packages: Packages;
  /** What its jobs run on. */
  readonly kind: QueueKind;
  readonly redis: RedisClient;
  readonly store: JobStore;
  /** The clock of the server, by which its jobs go. */
  readonly time: StoreClock;
  readonly queueStore: QueueStore;
  /** The input files of its jobs, over servers. */
  readonly files: FileStore;
  readonly log: Required<Omit<EventLog, 'close'>>;
  /** Calls of another store, which are made again where they meet a damaged key; those of the stores above are so. */
  readonly mended: QueueMender['around'];
  readonly slotTokens: SlotTokens;
  readonly notifications: QueueNotifications;
  readonly previews: QueuePreviews;
  /** Why its connection does not work, where it does not. */
  readonly trouble: Pick<ConnectionTrouble, 'words' | 'isAway' | 'refused'>;
  readonly clock: Clock;
  /** Gets what is published; absent if the options have none. */
  readonly logger?: Logger | undefined;
  /** Warns the program of the queue. */
  readonly warn: (message: string) => void;
  readonly close: () => Promise<void>;
}

/** The options of a queue, and those bounds that only a worker has. */
export type OpenQueueOptions = QueueOptions &
  Pick<JobQueueOptions, 'over'> &
  Pick<QueueWorkerOptions, 'maxPreviewBytes' | 'maxLogBytes'>;

/** A queue's name is part of its keys. */
const nameForm = /^[\w.-]{1,100}$/u;

/** Throws `InvalidConfig` for options that no queue can work with. */
export const checkQueueOptions = ({
  connection,
  name,
  tier,
  over,
  logger,
}: Pick<JobQueueOptions, 'connection' | 'name' | 'tier' | 'logger' | 'over'>): void => {
  checkConnection(connection);
  if (typeof name !== 'string' || !nameForm.test(name)) {
    const message = 'name takes up to 100 letters, digits, dots, hyphens and underscores.';
    throw serviceError('InvalidConfig', { option: 'name', message });
  }
  checkTier(tier);
  if (over !== undefined && !['account', 'servers'].includes(over)) {
    const message = "over takes 'account' or 'servers'.";
    throw serviceError('InvalidConfig', { option: 'over', message });
  }
  if (over === 'servers' && tier !== undefined) throw notOverServers('tier', slotsOfServersHint);
  checkLogger(logger);
};

/** Throws `InvalidConfig` for what is neither the name of a tier nor a number of slots. */
export const checkTier = (tier: QueueOptions['tier']): void => {
  const slots = tier === undefined ? 1 : slotsOf(tier);
  if (!(Number.isInteger(slots) && slots > 0)) {
    const message = 'tier takes the name of a tier, or a whole number above 0.';
    throw serviceError('InvalidConfig', { option: 'tier', message });
  }
};

/** The warnings of a queue: they go to its program and to those who subscribe to its channel. */
export const warningsOf =
  ({ name, onWarning, logger }: Pick<QueueOptions, 'name' | 'onWarning' | 'logger'>) =>
  (message: string): void => {
    if (onWarning !== undefined) onWarning(message);
    else if (logger === undefined) process.emitWarning(message, 'PromptwireQueue');
    publish('promptwire:queue:warning', () => ({ queue: name, message }), readLogger(logger));
  };

/** How long the end of a queue waits for a server that may be unreachable. */
const closeWithinMs = 2_000;

/** What a worker sets for the connection that {@link openQueue} makes. */
export interface OpenQueueExtras {
  /** Ends the connection at once when it fires, also while the server is unreachable. */
  readonly left?: AbortSignal | undefined;
  /** Watches the connection; default one of the queue's own. */
  readonly trouble?: ConnectionTrouble | undefined;
  /** What becomes of a call that the server refuses; default it rejects. */
  readonly patience?: Patience | undefined;
}

/**
 * Connects to a queue, checks the rights of its user and the settings of its server, and sets its number of slots where one is given.
 *
 * Where it rejects, no connection stays open.
 */
export const openQueue = async (
  options: OpenQueueOptions,
  extras: OpenQueueExtras = {},
): Promise<OpenQueue> => {
  const { connection, connectWithinMs } = options;
  const { left, patience = noPatience } = extras;
  const { trouble = connectionTrouble({ clock: realClock, tell: warningsOf(options) }) } = extras;
  const packages = await loadPackages();
  const over = new AbortController();
  const redis = await openClient(connection, over.signal);
  const commands = redisCommands(redis);
  const disconnect = (): void => {
    over.abort();
    trouble.close();
    commands.close();
  };
  trouble.watch(redis, commands.address());
  left?.addEventListener('abort', disconnect);
  if (left?.aborted === true) disconnect();
  try {
    const refused = await firstAnswer({ redis, commands, trouble }, connectWithinMs);
    const lacking = refused ?? (await checkRights(redis, options.name));
    if (lacking !== undefined) throw lacking;
    return await partsOf(options, { packages, redis, trouble, disconnect, patience });
  } catch (cause) {
    disconnect();
    throw cause;
  }
};

/** The connection that the parts of a queue share. */
interface Connected {
  readonly packages: Packages;
  readonly redis: RedisClient;
  readonly trouble: ConnectionTrouble;
  readonly disconnect: () => void;
  readonly patience: Patience;
}

const partsOf = async (
  { name, tier, over, onWarning, logger, maxWorkflowBytes, maxPreviewBytes, maxLogBytes }: OpenQueueOptions,
  { packages, redis, trouble, disconnect, patience }: Connected,
): Promise<OpenQueue> => {
  const tell = warningsOf({ name, onWarning, logger });
  for (const { message } of await checkSettings(redisCommands(redis))) tell(message);
  const mender = queueMender({ redis, name, onDamage: tell });
  await patience(mender.look);
  const mended = mender.around;
  const queueStore = mended(redisQueueStore({ redis, name, maxLogBytes, patience }));
  const kind = await queueKind(redisCommands(redis), name, over);
  if (kind === 'servers' && tier !== undefined) throw notOverServers('tier', slotsOfServersHint);
  const time = storeClock(realClock.now);
  const slotTokens = slotTokensOf(kind, openSlotTokens(packages, redis, name));
  if (tier !== undefined) await patience(() => setSlots({ queueStore, slotTokens }, tier));
  return {
    packages,
    kind,
    redis,
    store: mended(redisJobStore({ redis, name, time, maxWorkflowBytes, patience })),
    time,
    queueStore,
    files: mended(redisFileStore({ redis, name })),
    log: mended(redisEventLog({ redis, name, keepsOfJobs: true, onDamage: tell })),
    mended,
    slotTokens,
    notifications: queueNotifications(redis, name),
    previews: queuePreviews(redis, name, { maxPreviewBytes, onTooLarge: tell }),
    trouble,
    clock: realClock,
    logger: readLogger(logger),
    warn: tell,
    close: async () => {
      // While the server is unreachable it waits for it.
      await answerWithin(realClock, closeWithinMs, slotTokens.close, undefined);
      disconnect();
    },
  };
};

interface FirstAnswerOf extends Pick<Connected, 'redis' | 'trouble'> {
  readonly commands: RedisCommands;
}

/** Why the server can't be used; undefined once it has answered. */
const firstAnswer = (
  { redis, commands: { send, address }, trouble }: FirstAnswerOf,
  withinMs: number | undefined,
): Promise<ServiceError | undefined> =>
  new Promise((resolve) => {
    const giveUp = (): void => {
      const { reason = 'it does not answer', hint } = trouble.words() ?? {};
      const message = `Redis can't be used at ${address()}: ${reason}.`;
      resolve(serviceError('Network', { message, hint, code: 'ETIMEDOUT', sent: false }));
    };
    const cancel = withinMs === undefined ? undefined : realClock.after(withinMs, giveUp);
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
