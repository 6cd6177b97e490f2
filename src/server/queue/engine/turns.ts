import { engineIdOf, jobIdOf } from './engine-id.js';
import { lockOf } from './bullmq-lock.js';
import type { Packages } from './load.js';
import { realClock } from '../../../core/platform/clock.js';
import type { Worker as BullWorker } from 'bullmq';
import type { QueueKind } from '../store/queue-kind.js';
import { isOfReplica } from '../redis/refusal.js';
import { type RedisClient, redisCommands } from '../redis/redis-client.js';
import type { TurnLock } from '../store/job-store.js';

/** What becomes of a turn: it is over, or another worker gets it at once, unless it has the turn already. */
export type TurnEnd = 'done' | 'requeue';

/** A turn that is due after so many milliseconds. */
export interface NewTurn {
  readonly id: string;
  readonly delayMs?: number | undefined;
}

/** The turns of a queue: as many run at once, on all machines, as the queue has slots. */
export interface Turns {
  /** Adds a turn, after so many milliseconds; a turn with an id that is there already is not added. */
  readonly add: (id: string, delayMs?: number) => Promise<void>;
  /** Adds turns in one round trip, in the same way. */
  readonly addAll: (turns: readonly NewTurn[]) => Promise<void>;
  /** Adds a delivery. */
  readonly addDelivery: (id: string) => Promise<void>;
  /** How many turns run at once, on all machines; with 0 none begins. */
  readonly setLimit: (slots: number) => Promise<void>;
  /** Lets no turn begin, on any machine. */
  readonly pause: () => Promise<void>;
  readonly resume: () => Promise<void>;
  /** How many turns have not begun and are due. */
  readonly due: () => Promise<number>;
  /** How many deliveries wait, for a moment as well, or run. */
  readonly deliveries: () => Promise<number>;
  readonly close: () => Promise<void>;
}

/** Runs turns in this process. */
export interface TurnRunner {
  /** Asks for no turn from now on, and looks for none of a worker that died; those that run go on. */
  readonly rest: () => void;
  /** Asks for turns again. */
  readonly wake: () => void;
  /** Takes no further turn, and resolves once none runs here. */
  readonly close: () => Promise<void>;
}

/** How many times a turn is tried again that was lost or that threw: for ever. */
const always = 2 ** 31 - 1;

const turnOptions = {
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

/** Opens the turns of a queue: BullMQ keeps them, hands them out, and gives those of a dead worker to another one. */
export const openTurns = ({ bullmq: { Queue } }: Packages, redis: RedisClient, name: string): Turns => {
  const { again } = redisCommands(redis);
  const options = { connection: redis, prefix: prefixOf(name) };
  const turns = new Queue('turns', { ...options, defaultJobOptions: turnOptions });
  const deliveries = new Queue('deliveries', { ...options, defaultJobOptions: deliveryOptions });
  /** What BullMQ keeps beside its jobs. */
  const reserved = Object.keys(turns.keys);
  for (const queue of [turns, deliveries]) queue.on('error', () => undefined);
  const add: Turns['add'] = async (id, delayMs = 0) => {
    const own = { jobId: engineIdOf(id, reserved), ...(delayMs > 0 && { delay: delayMs }) };
    await again(() => turns.add('turn', {}, own));
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
      await again(() => turns.setGlobalConcurrency(slots));
    },
    pause: () => again(() => turns.pause()),
    resume: () => again(() => turns.resume()),
    due: async () => {
      const { waiting = 0, prioritized = 0 } = await again(() =>
        turns.getJobCounts('waiting', 'prioritized'),
      );
      return waiting + prioritized;
    },
    deliveries: async () => {
      const counts = await again(() => deliveries.getJobCounts('waiting', 'delayed', 'active'));
      return Object.values(counts).reduce((sum, count) => sum + count, 0);
    },
    close: async () => {
      await Promise.all([turns.close(), deliveries.close()]);
    },
  };
};

/** The turns of a queue of this kind: workers over servers take jobs without them, so that none is added, and pauses are read of the store. */
export const turnsOf = (kind: QueueKind, turns: Turns): Turns => {
  const nothing = (): Promise<void> => Promise.resolve();
  return kind === 'account'
    ? turns
    : {
        ...turns,
        ...{ add: nothing, addAll: nothing, setLimit: nothing, pause: nothing, resume: nothing },
        due: () => Promise.resolve(Infinity),
      };
};

/** Which turns a worker runs, how many at once, and how. */
export interface TurnRunnerOptions {
  readonly packages: Packages;
  readonly redis: RedisClient;
  readonly name: string;
  readonly queue: 'turns' | 'deliveries';
  readonly concurrency: number;
  readonly lockMs: number;
  /** Runs a turn, with its lock; the signal fires where that is lost, so that the turn may be another worker's by now. */
  readonly run: (id: string, lost: AbortSignal, lock: TurnLock) => Promise<TurnEnd>;
}

/** A server that takes no writes is left at most so often, in milliseconds. */
const leaveEveryMs = 1_000;

/** So often in the time of a lock do workers look for turns that are due, and for those of a worker that died. */
const looksPerLock = 8;

/** Runs turns or deliveries until it is closed. A turn that throws is tried again. */
export const runTurns = ({
  packages: {
    bullmq: { Worker, WaitingError },
  },
  redis,
  name,
  queue,
  concurrency,
  lockMs,
  run,
}: TurnRunnerOptions): TurnRunner => {
  const lookEveryMs = Math.max(100, Math.floor(lockMs / looksPerLock));
  const { leavesReplicas, reconnect } = redisCommands(redis);
  const open = (): BullWorker => {
    const worker = new Worker(
      queue,
      // BullMQ gives a signal to functions whose third parameter has no default.
      async (job, token, lost) => {
        const { id = '' } = job;
        const lock = lockOf(worker, id, token);
        const end = await run(jobIdOf(id), lost ?? new AbortController().signal, lock);
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
        // What wakes a worker that waits goes to one worker, which may die or close before it takes the turn; the others ask so often.
        drainDelay: lookEveryMs / 1_000,
        maxStalledCount: always,
        runRetryDelay: 500,
      },
    );
    // The connection says so of every attempt while the server is away, and a lost lock of a turn that another worker has.
    worker.on('error', ({ message }) => {
      if (!leavesReplicas && isOfReplica(message)) leave(worker);
    });
    worker.on('lockRenewalFailed', (ids) => {
      for (const id of ids) worker.cancelJob(id);
    });
    return worker;
  };
  /** Those that have left a server, and the turns that run in them. */
  const left = new Set<Promise<void>>();
  let current = open();
  let openedAt = -Infinity;
  /** BullMQ keeps the connection on which it waits, so another worker takes further turns, and the turns that run end in this one. */
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
    wake: () => void current.resume().catch(() => undefined),
    close: async () => {
      await Promise.all([current.close(), ...left]);
    },
  };
};
