import { BehaviorSubject, filter, firstValueFrom } from 'rxjs';
import { engineIdOf, jobIdOf } from './engine-id.js';
import { lockOf } from './bullmq-lock.js';
import type { Packages } from './load.js';
import { realClock } from '../../../core/platform/clock.js';
import type { Worker as BullWorker } from 'bullmq';
import type { QueueKind } from '../store/queue-kind.js';
import { isOfReplica } from '../redis/refusal.js';
import { type RedisClient, redisCommands } from '../redis/redis-client.js';
import type { TokenLock } from '../store/job-store.js';

/** What becomes of a slot token: it is over, or another worker gets it at once, unless it has the slot token already. */
export type TokenEnd = 'done' | 'requeue';

/** A slot token that is due after so many milliseconds. */
export interface NewToken {
  readonly id: string;
  readonly delayMs?: number | undefined;
}

/** The slot tokens of a queue: as many run at once, on all machines, as the queue has slots. */
export interface SlotTokens {
  /** Adds a slot token, after so many milliseconds; a slot token with an id that is there already is not added. */
  readonly add: (id: string, delayMs?: number) => Promise<void>;
  /** Adds slot tokens in one round trip, in the same way. */
  readonly addAll: (slotTokens: readonly NewToken[]) => Promise<void>;
  /** Adds a delivery. */
  readonly addDelivery: (id: string) => Promise<void>;
  /** How many slot tokens run at once, on all machines; with 0 none begins. */
  readonly setLimit: (slots: number) => Promise<void>;
  /** Lets no slot token begin, on any machine. */
  readonly pause: () => Promise<void>;
  readonly resume: () => Promise<void>;
  /** How many slot tokens have not begun and are due. */
  readonly due: () => Promise<number>;
  /** How many deliveries wait, for a moment as well, or run. */
  readonly deliveries: () => Promise<number>;
  readonly close: () => Promise<void>;
}

/** Runs slot tokens in this process. */
export interface TokenRunner {
  /** Asks for no slot token from now on, and looks for none of a worker that died; those that run go on. */
  readonly rest: () => void;
  /** Asks for slot tokens again. */
  readonly wake: () => void;
  /** Takes no further slot token, and resolves once none runs here. */
  readonly close: () => Promise<void>;
  /** Ends at once; slot tokens that run here go to another worker once their locks are over. */
  readonly leave: () => void;
}

/** How many times a slot token is tried again that was lost or that threw: for ever. */
const always = 2 ** 31 - 1;

const tokenOptions = {
  attempts: always,
  backoff: { type: 'fixed', delay: 1_000 },
  removeOnComplete: true,
  removeOnFail: true,
};

/** Kept so long and tried so often: about two hours. */
const deliveryOptions = {
  attempts: 20,
  backoff: { type: 'exponential', delay: 1_000 },
  removeOnComplete: true,
  removeOnFail: { age: 7 * 24 * 3600, count: 1_000 },
};

const prefixOf = (name: string): string => `{promptwire:${name}}:engine`;

/** Opens the slot tokens of a queue: BullMQ keeps them, hands them out, and gives those of a dead worker to another one. */
export const openSlotTokens = (
  { bullmq: { Queue } }: Packages,
  redis: RedisClient,
  name: string,
): SlotTokens => {
  const { again } = redisCommands(redis);
  const options = { connection: redis, prefix: prefixOf(name) };
  const slotTokens = new Queue('turns', { ...options, defaultJobOptions: tokenOptions });
  const deliveries = new Queue('deliveries', { ...options, defaultJobOptions: deliveryOptions });
  /** What BullMQ keeps beside its jobs. */
  const reserved = Object.keys(slotTokens.keys);
  for (const queue of [slotTokens, deliveries]) queue.on('error', () => undefined);
  const add: SlotTokens['add'] = async (id, delayMs = 0) => {
    const own = { jobId: engineIdOf(id, reserved), ...(delayMs > 0 && { delay: delayMs }) };
    await again(() => slotTokens.add('turn', {}, own));
  };
  return {
    add,
    // The client sends all of them before it waits for an answer; BullMQ's own call for many fails by node-redis after a restart.
    addAll: async (given) => {
      await Promise.all(given.map(({ id, delayMs }) => add(id, delayMs)));
    },
    addDelivery: async (id) => {
      await again(() => deliveries.add('delivery', {}, { jobId: engineIdOf(id, reserved) }));
    },
    setLimit: async (slots) => {
      await again(() => slotTokens.setGlobalConcurrency(slots));
    },
    pause: () => again(() => slotTokens.pause()),
    resume: () => again(() => slotTokens.resume()),
    due: async () => {
      const { waiting = 0, prioritized = 0 } = await again(() =>
        slotTokens.getJobCounts('waiting', 'prioritized'),
      );
      return waiting + prioritized;
    },
    deliveries: async () => {
      const counts = await again(() => deliveries.getJobCounts('waiting', 'delayed', 'active'));
      return Object.values(counts).reduce((sum, count) => sum + count, 0);
    },
    close: async () => {
      await Promise.all([slotTokens.close(), deliveries.close()]);
    },
  };
};

/** The slot tokens of a queue of this kind: workers over servers take jobs without them, so that none is added, and pauses are read of the store. */
export const slotTokensOf = (kind: QueueKind, slotTokens: SlotTokens): SlotTokens => {
  const nothing = (): Promise<void> => Promise.resolve();
  return kind === 'account'
    ? slotTokens
    : {
        ...slotTokens,
        ...{ add: nothing, addAll: nothing, setLimit: nothing, pause: nothing, resume: nothing },
        due: () => Promise.resolve(Infinity),
      };
};

/** Which slot tokens a worker runs, how many at once, and how. */
export interface TokenRunnerOptions {
  readonly packages: Packages;
  readonly redis: RedisClient;
  readonly name: string;
  readonly queue: 'turns' | 'deliveries';
  readonly concurrency: number;
  readonly lockMs: number;
  /** Runs a slot token, with its lock; the signal fires where that is lost, so that the slot token may be another worker's by now. */
  readonly run: (id: string, lost: AbortSignal, lock: TokenLock) => Promise<TokenEnd>;
  /** Whether the server is away. */
  readonly isAway: () => boolean;
}

/** A server that takes no writes is left at most so often, in milliseconds. */
const leaveEveryMs = 1_000;

/** So often in the time of a lock do workers look for slot tokens that are due, and for those of a worker that died. */
const looksPerLock = 8;

/** Runs slot tokens or deliveries until it is closed. A slot token that throws is tried again. */
export const runTokens = ({
  packages: {
    bullmq: { Worker, WaitingError },
  },
  redis,
  name,
  queue,
  concurrency,
  lockMs,
  run,
  isAway,
}: TokenRunnerOptions): TokenRunner => {
  const running = new BehaviorSubject(0);
  const runCounted: typeof run = async (...token) => {
    running.next(running.value + 1);
    try {
      return await run(...token);
    } finally {
      running.next(running.value - 1);
    }
  };
  const lookEveryMs = Math.max(100, Math.floor(lockMs / looksPerLock));
  const { leavesReplicas, reconnect } = redisCommands(redis);
  const open = (): BullWorker => {
    const worker = new Worker(
      queue,
      // BullMQ gives a signal to functions whose third parameter has no default.
      async (job, token, lost) => {
        const { id = '' } = job;
        const lock = lockOf(worker, id, token);
        const end = await runCounted(jobIdOf(id), lost ?? new AbortController().signal, lock);
        if (end === 'done') return;
        await job.moveToWait(token);
        throw new WaitingError();
      },
      {
        connection: redis,
        prefix: prefixOf(name),
        concurrency,
        lockDuration: lockMs,
        stalledInterval: lookEveryMs,
        // What wakes a worker that waits goes to one worker, which may die or close before it takes the slot token; the others ask so often.
        drainDelay: lookEveryMs / 1_000,
        maxStalledCount: always,
        runRetryDelay: 500,
      },
    );
    // The connection says so of every attempt while the server is away, and a lost lock of a slot token that another worker has.
    worker.on('error', ({ message }) => {
      if (!leavesReplicas && isOfReplica(message)) leave(worker);
    });
    worker.on('lockRenewalFailed', (ids) => {
      for (const id of ids) worker.cancelJob(id);
    });
    return worker;
  };
  /** Those that have left a server, and the slot tokens that run in them. */
  const left = new Set<Promise<void>>();
  let current = open();
  let openedAt = -Infinity;
  let isClosing = false;
  /** BullMQ keeps the connection on which it waits, so another worker takes further slot tokens, and the slot tokens that run end in this one. */
  const leave = (worker: BullWorker): void => {
    const isLate = realClock.now() - openedAt >= leaveEveryMs;
    if (worker !== current || worker.closing !== undefined || !isLate) return;
    openedAt = realClock.now();
    reconnect();
    const closed = worker.close().finally(() => left.delete(closed));
    left.add(closed);
    current = open();
  };
  return {
    rest: () => void current.pause(true).catch(() => undefined),
    wake: () => {
      if (!isClosing) void current.resume().catch(() => undefined);
    },
    // BullMQ's own close waits for the end of a connection that waits to connect again, which never says so.
    close: async () => {
      isClosing = true;
      await current.pause(true);
      await firstValueFrom(running.pipe(filter((count) => count === 0)), { defaultValue: 0 });
      await Promise.all([current.close(isAway()), ...left]);
    },
    leave: () => void current.close(true).catch(() => undefined),
  };
};
