import { countForeignJobs } from './count-foreign-jobs.js';
import { checkQueueOptions, openQueue, type OpenQueue } from '../jobs/open-queue.js';
import { defaultRules } from '../policy/rules.js';
import { deliverFiles } from './deliver-files.js';
import { keepUp } from './keep-up.js';
import { publish } from '../telemetry/channels.js';
import type { QueueWorkerOptions } from '../options.js';
import { realClock } from '../../../core/platform/clock.js';
import { type RunContext, runHeldJob } from './run-held-job.js';
import { runTurns, type TurnRunner, type TurnRunnerOptions } from '../engine/turns.js';
import type { ServiceError } from '../../../core/errors/errors.js';
import type { SubmissionIds } from '../../../client/dialects/dialect.js';
import { Subscription } from 'rxjs';
import { uuid } from '../../../core/platform/uuid.js';

/** How a worker is. */
export interface WorkerHealth {
  /** Whether it takes jobs: it is open, and Redis answers. */
  readonly ready: boolean;
  /** How many jobs it runs. */
  readonly running: number;
  /** Whether it stops. */
  readonly closing: boolean;
}

/** Options of `QueueWorker.close`. */
export interface WorkerCloseOptions {
  /** How long the jobs that run here may take to end before they are handed over, in milliseconds; default 0. */
  readonly graceMs?: number | undefined;
}

/** A worker of a queue, as `createWorker` makes it. */
export interface QueueWorker extends AsyncDisposable {
  /** Its name in records and logs. */
  readonly id: string;
  /** Resolves once it takes jobs; rejects with a `ServiceError` where it can't begin. */
  readonly ready: Promise<void>;
  /** Says how it is, for the probes of a supervisor. */
  readonly health: () => Promise<WorkerHealth>;
  /**
   * Takes no more jobs, waits for those that run for as long as `graceMs`, hands the others over to other workers, and resolves once
   * its connections are closed. A submission under way gets its answer first. It takes 35 s more than `graceMs` at most, also while Redis is
   * away. The client stays open.
   */
  readonly close: (options?: WorkerCloseOptions) => Promise<void>;
}

/** A probe waits no longer for Redis, in milliseconds. */
const probeWithinMs = 2_000;
const defaultLockMs = 4_000;
/** A submission under way has its answer by then, in milliseconds. */
const longestAnswerMs = 35_000;
const isLocal = (submissionIds: SubmissionIds): boolean =>
  submissionIds === 'jobs' || submissionIds === 'unproven';
/** A local server answers at once and lists what it has answered for. */
const localRules = { deadlineMs: 10_000, lagMs: 2_000, lookEveryMs: 2_000 };

/**
 * Runs the jobs of a queue on this machine; any number of workers share the slots of the account.
 *
 * Works at once, and until `close`. A worker that dies leaves its jobs to another one after `lockMs`, which attaches to what the service
 * has and never submits what it may have. A refusal of the account pauses the queue once, with the reason. Throws `InvalidConfig` for
 * options that can't work.
 *
 * @example
 * ```ts
 * import { createClient } from 'promptwire';
 * import { createWorker, folderSink } from 'promptwire/queue';
 *
 * const client = createClient({ baseUrl: 'https://service.example', apiKey: process.env['PROMPTWIRE_API_KEY'] });
 * const worker = createWorker({ connection: 'redis://127.0.0.1:6379', name: 'pictures', client, sink: folderSink('out') });
 * process.once('SIGTERM', () => void worker.close({ graceMs: 20_000 }).then(() => client.close()));
 * ```
 */
export const createWorker = (options: QueueWorkerOptions): QueueWorker => {
  checkQueueOptions(options);
  const id = uuid();
  const stopping = new AbortController();
  const leaving = new AbortController();
  let running = 0;
  let open: OpenQueue | undefined;
  let runners: readonly TurnRunner[] = [];
  let closing: Promise<void> | undefined;
  const work = new Subscription();

  const begin = async (): Promise<void> => {
    const queue = await openQueue(options, leaving.signal);
    open = queue;
    if (closing !== undefined) return;
    const run = runOf(options, queue, id, stopping.signal, work);
    const { packages, redis } = queue;
    const { name, concurrency, lockMs = defaultLockMs, sink, client } = options;
    const common = { packages, redis, name, lockMs };
    const turns = runTurns({
      ...common,
      queue: 'turns',
      concurrency: concurrency ?? (await queue.whole.stats()).slots,
      run: async (...turn) => {
        running += 1;
        try {
          return await run(...turn);
        } finally {
          running -= 1;
        }
      },
    });
    const deliver = sink && deliverFiles({ sink, client, queue, name, worker: id, signal: stopping.signal });
    const deliveries = deliver && runTurns({ ...common, queue: 'deliveries', concurrency: 4, run: deliver });
    runners = deliveries === undefined ? [turns] : [turns, deliveries];
    // eslint-disable-next-line rxjs-x/no-ignored-error -- news never errors.
    work.add(queue.news.resumed.subscribe(() => client.resume()));
    work.add(keepUp(queue, options));
    if (options.countForeignJobs === true) work.add(countForeignJobs(queue, client));
  };
  const ready = begin();
  ready.catch(() => undefined);

  let cancelLate = (): void => undefined;

  const end = async ({ graceMs = 0 }: WorkerCloseOptions): Promise<void> => {
    if (open === undefined) leaving.abort();
    await ready.catch(() => undefined);
    const cancelStop = realClock.after(graceMs, () => stopping.abort());
    // While the store is away, a job can't be handed over: another worker takes it once its lock is over.
    const late = new Promise<void>((resolve) => {
      cancelLate = realClock.after(graceMs + longestAnswerMs, resolve);
    });
    await Promise.race([late, Promise.all(runners.map((runner) => runner.close()))]);
    cancelStop();
    cancelLate();
    stopping.abort();
    work.unsubscribe();
    await Promise.race([late, open?.close()]);
    leaving.abort();
  };
  const close: QueueWorker['close'] = (given = {}) => (closing ??= end(given));

  return {
    id,
    ready,
    health: async () => ({
      ready: closing === undefined && open !== undefined && (await answers(open)),
      running,
      closing: closing !== undefined,
    }),
    close,
    [Symbol.asyncDispose]: () => close(),
  };
};

const answers = ({ redis }: OpenQueue): Promise<boolean> =>
  new Promise((resolve) => {
    const cancel = realClock.after(probeWithinMs, () => resolve(false));
    redis.ping().then(
      () => {
        cancel();
        resolve(true);
      },
      () => {
        cancel();
        resolve(false);
      },
    );
  });

/** Runs a turn: the job that it gets, and another one where that one has to wait. */
const runOf = (
  { name, client, partnerKey, rules, sink, onPause }: QueueWorkerOptions,
  { store, whole, log, turns, news, previews }: OpenQueue,
  worker: string,
  stopping: AbortSignal,
  work: Subscription,
): TurnRunnerOptions['run'] => {
  const cancels = new Map<string, () => void>();
  // eslint-disable-next-line rxjs-x/no-ignored-error -- news never errors.
  work.add(news.cancelled.subscribe((id) => cancels.get(id)?.()));
  const context: Omit<RunContext, 'signal' | 'pause'> = {
    ...{ queue: name, worker, client, partnerKey, store, whole, log, previews, uuid },
    clock: realClock,
    rules: { ...defaultRules, ...(isLocal(client.submissionIds) && localRules), ...rules },
    pauseQueue: async (error) => {
      const message = describe(error);
      await turns.pause();
      await whole.setPaused(message);
      publish('promptwire:queue:pause', () => ({ queue: name, message }));
      onPause?.(error);
    },
    onCancel: (id, listener) => {
      cancels.set(id, listener);
      return () => void cancels.delete(id);
    },
    deliver: sink && ((id) => turns.addDelivery(id)),
  };

  return async (turn, lost, lock) => {
    const signal = AbortSignal.any([stopping, lost]);
    try {
      if (signal.aborted) return 'back';
      const held = await store.take(turn, worker, lock);
      if (held === undefined) return 'done';
      return await runHeldJob(held, { ...context, signal, pause: (ms) => pauseUnless(signal, ms) });
    } catch (error) {
      if (error instanceof WorkerStops) return 'back';
      throw error;
    }
  };
};

/** Resolves after so many milliseconds; rejects with {@link WorkerStops} once the signal fires. */
const pauseUnless = (signal: AbortSignal, ms: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = (): void => {
      cancel();
      reject(new WorkerStops());
    };
    const cancel = realClock.after(ms, () => {
      signal.removeEventListener('abort', stop);
      resolve();
    });
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });

/** Ends what waits in a worker that stops, or that has lost the turn. */
class WorkerStops extends Error {
  override readonly name = 'WorkerStops';
}

const describe = ({ _tag, message }: ServiceError): string => `${_tag}: ${message}`;
