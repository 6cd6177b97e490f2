import { always, prefixOf } from './slot-tokens.js';
import { bullConnection } from './bull-connection.js';
import { BehaviorSubject, filter, firstValueFrom } from 'rxjs';
import { isOfReplica } from '../redis/refusal.js';
import { jobIdOf } from './engine-id.js';
import { lockOf } from './bullmq-lock.js';
import type { Packages } from './load.js';
import type { Clock } from '../../../core/platform/platform.js';
import { type RedisClient, redisCommands } from '../redis/redis-client.js';
import { timerOn } from '../../../core/platform/timer.js';
import type { TokenLock } from '../store/job-store.js';
import type { ConnectionOptions, Worker as BullWorker } from 'bullmq';

/** What becomes of a slot token: it is over, or another worker gets it at once, unless it has the slot token already. */
export type TokenEnd = 'done' | 'requeue';

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
  /** Whether the server is unreachable. */
  readonly isAway: () => boolean;
  readonly clock: Pick<Clock, 'after' | 'now'>;
}

/** How long to wait before trying again, in milliseconds. */
const retryMs = 500;

/** How often a server that takes no writes is left at most, in milliseconds. */
const leaveEveryMs = 1_000;

/** How often per lock time workers check for slot tokens that are due, and for those of a worker that died. */
const checksPerLock = 8;

/** Opens a worker of BullMQ, which does not begin by itself. */
const openWorker = (
  { packages, name, queue, concurrency, lockMs, run }: Omit<TokenRunnerOptions, 'isAway' | 'redis' | 'clock'>,
  connection: ConnectionOptions,
  onError: (worker: BullWorker, message: string) => void,
): BullWorker => {
  const { Worker, WaitingError } = packages.bullmq;
  const checkEveryMs = Math.max(100, Math.floor(lockMs / checksPerLock));
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
      connection,
      prefix: prefixOf(name),
      concurrency,
      lockDuration: lockMs,
      stalledInterval: checkEveryMs,
      // The wake-up of a waiting worker goes to one worker, which may die or close before it takes the slot token; the others ask this
      // often.
      drainDelay: checkEveryMs / 1_000,
      maxStalledCount: always,
      runRetryDelay: retryMs,
      autorun: false,
    },
  );
  worker.on('error', ({ message }) => onError(worker, message));
  worker.on('lockRenewalFailed', (ids) => {
    for (const id of ids) worker.cancelJob(id);
  });
  return worker;
};

/** Runs slot tokens or deliveries until it is closed. A slot token that throws is tried again. */
export const runTokens = ({ isAway, clock, ...options }: TokenRunnerOptions): TokenRunner => {
  const running = new BehaviorSubject(0);
  const run: TokenRunnerOptions['run'] = async (...token) => {
    running.next(running.value + 1);
    try {
      return await options.run(...token);
    } finally {
      running.next(running.value - 1);
    }
  };
  const { leavesReplicas, reconnect } = redisCommands(options.redis);
  const connection = bullConnection(options.packages, options.redis);
  const open = (): BullWorker =>
    // The connection says so of every attempt while the server is unreachable, and a lost lock of a slot token that another worker has.
    openWorker({ ...options, run }, connection, (worker, message) => {
      if (!leavesReplicas && isOfReplica(message)) leave(worker);
    });
  /** The ends of workers that have left a server while slot tokens run in them. */
  const left = new Set<Promise<void>>();
  const current = new BehaviorSubject(open());
  /** The workers that ask for slot tokens; one that has not begun can't be paused. */
  const begun = new WeakSet<BullWorker>();
  const aim = new BehaviorSubject<'work' | 'rest' | 'end'>('work');
  let openedAt = -Infinity;
  /** BullMQ asks the server once what it is. Where that fails it never works, and its loop would call it again and again without a pause. */
  const begin = async (worker: BullWorker): Promise<void> => {
    try {
      await worker.waitUntilReady();
    } catch {
      await worker.close(true).catch(() => undefined);
      await firstValueFrom(timerOn(clock, retryMs), { defaultValue: undefined });
      if (worker === current.value && aim.value !== 'end') renew();
      return;
    }
    if (worker !== current.value || aim.value === 'end') return;
    begun.add(worker);
    worker.run().catch(() => undefined);
    if (aim.value === 'rest') await worker.pause(true);
  };
  const renew = (): void => {
    current.next(open());
    begin(current.value).catch(() => undefined);
  };
  /** BullMQ keeps the connection on which it waits, so another worker takes further slot tokens, and the slot tokens that run end in this one. */
  const leave = (worker: BullWorker): void => {
    const isLate = clock.now() - openedAt >= leaveEveryMs;
    if (worker !== current.value || worker.closing !== undefined || !isLate) return;
    openedAt = clock.now();
    reconnect();
    const closed = worker.close().finally(() => left.delete(closed));
    left.add(closed);
    renew();
  };
  begin(current.value).catch(() => undefined);
  return {
    rest: () => {
      if (aim.value === 'end') return;
      aim.next('rest');
      if (begun.has(current.value)) void current.value.pause(true).catch(() => undefined);
    },
    wake: () => {
      if (aim.value === 'end') return;
      aim.next('work');
      if (begun.has(current.value)) void current.value.resume().catch(() => undefined);
    },
    // BullMQ's own close waits for the end of a connection that waits to connect again, which never says so.
    close: async () => {
      aim.next('end');
      await current.value.pause(true);
      await firstValueFrom(running.pipe(filter((count) => count === 0)), { defaultValue: 0 });
      await Promise.all([current.value.close(isAway()), ...left]);
    },
    leave: () => {
      aim.next('end');
      void current.value.close(true).catch(() => undefined);
    },
  };
};
