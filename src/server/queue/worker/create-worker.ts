import { countForeignJobs } from './count-foreign-jobs.js';
import { checkQueueOptions, openQueue, type OpenQueue, warningsOf } from '../jobs/open-queue.js';
import { connectionTrouble } from '../redis/connection-trouble.js';
import { defaultRules } from '../policy/rules.js';
import { deliverFiles } from './deliver-files.js';
import { keepUp } from './keep-up.js';
import { patience } from '../redis/patience.js';
import { publish } from '../telemetry/channels.js';
import type { QueueWorker, WorkerCloseOptions } from './queue-worker.js';
import type { QueueWorkerOptions } from '../options.js';
import { realClock } from '../../../core/platform/clock.js';
import { restWhileIdle } from './rest.js';
import type { RunContext } from './run-context.js';
import { runTurns, type TurnRunner } from '../engine/turns.js';
import type { SubmissionIds } from '../../../core/lost/submission-ids.js';
import { askServer } from './ask-server.js';
import { defer, firstValueFrom, race, Subscription } from 'rxjs';
import { takeOver } from './take-over.js';
import { timerOn } from '../../../core/platform/timer.js';
import { uuid } from '../../../core/platform/uuid.js';

/** A probe waits no longer for Redis, in milliseconds. */
const probeWithinMs = 2_000;
const defaultLockMs = 4_000;
/** A submission under way has its answer by then, in milliseconds. */
const longestAnswerMs = 35_000;
const deliveriesAtOnce = 4;
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
  const trouble = connectionTrouble({ clock: realClock, tell: warningsOf(options) });
  let work: Work | undefined;
  let closing: Promise<void> | undefined;

  const begin = async (): Promise<void> => {
    const ended = AbortSignal.any([stopping.signal, leaving.signal]);
    const patient = patience({ clock: realClock, ended, refused: trouble.refused });
    const queue = await openQueue(options, { left: leaving.signal, trouble, patience: patient });
    work = openWork(queue);
    if (closing === undefined) await work.begin(options, id, stopping.signal);
  };
  const ready = begin();
  ready.catch(() => undefined);

  const end = async ({ graceMs = 0 }: WorkerCloseOptions): Promise<void> => {
    if (work === undefined) leaving.abort();
    await ready.catch(() => undefined);
    const cancelStop = realClock.after(graceMs, () => stopping.abort());
    // While the store is away, a job can't be handed over: another worker takes it once its lock is over.
    await within(graceMs + longestAnswerMs, async () => {
      await work?.finish();
      stopping.abort();
      await work?.close();
    });
    cancelStop();
    stopping.abort();
    work?.close().catch(() => undefined);
    leaving.abort();
  };
  const close: QueueWorker['close'] = (given = {}) => (closing ??= end(given));

  return {
    id,
    ready,
    health: async () => {
      const isReady = closing === undefined && work !== undefined && (await takesWrites(work.queue));
      const reason = isReady || closing !== undefined ? undefined : trouble.words()?.reason;
      return {
        ready: isReady,
        running: work?.running() ?? 0,
        closing: closing !== undefined,
        ...(reason !== undefined && { reason }),
      };
    },
    close,
    [Symbol.asyncDispose]: () => close(),
  };
};

/** The jobs and deliveries that a worker runs, and what it does again and again meanwhile. */
interface Work {
  readonly queue: OpenQueue;
  readonly begin: (options: QueueWorkerOptions, worker: string, stopping: AbortSignal) => Promise<void>;
  /** How many jobs run here. */
  readonly running: () => number;
  /** Takes no more, and resolves once none runs here. */
  readonly finish: () => Promise<void>;
  readonly close: () => Promise<void>;
}

const openWork = (queue: OpenQueue): Work => {
  const repeated = new Subscription();
  const runners: TurnRunner[] = [];
  let running = 0;
  let closing: Promise<void> | undefined;
  return {
    queue,
    begin: async (options, worker, stopping) => {
      const { packages, redis, whole, clock } = queue;
      const { name, client, sink, lockMs = defaultLockMs } = options;
      const common = { packages, redis, name, lockMs };
      const { slots } = await whole.stats();
      const { concurrency = slots } = options;
      const context = contextOf(options, queue, worker, repeated);
      const take = takeOver({ store: queue.store, worker, slots, stopping, clock, context });
      const run: typeof take = async (...turn) => {
        running += 1;
        try {
          return await take(...turn);
        } finally {
          running -= 1;
        }
      };
      runners.push(runTurns({ ...common, queue: 'turns', concurrency, run }));
      if (sink !== undefined) {
        const deliver = deliverFiles({ sink, client, queue, name, worker, signal: stopping });
        runners.push(
          runTurns({ ...common, queue: 'deliveries', concurrency: deliveriesAtOnce, run: deliver }),
        );
      }
      const rest = restWhileIdle(queue.news, runners);
      repeated.add(rest.subscription);
      repeated.add(keepUp(queue, { ...options, slots }, rest));
      if (options.countForeignJobs === true) repeated.add(countForeignJobs(queue, client));
    },
    running: () => running,
    finish: async () => {
      await Promise.all(runners.map((runner) => runner.close()));
    },
    close: () => {
      repeated.unsubscribe();
      return (closing ??= queue.close());
    },
  };
};

/** The parts of each run; `repeated` ends the listening to the queue. */
const contextOf = (
  { name, client, partnerKey, rules, sink, onPause }: QueueWorkerOptions,
  { store, whole, log, turns, news, previews, clock, logger, warn }: OpenQueue,
  worker: string,
  repeated: Subscription,
): Omit<RunContext, 'signal' | 'pause'> => {
  const cancels = new Map<string, () => void>();
  // eslint-disable-next-line rxjs-x/no-ignored-error -- news never errors.
  repeated.add(news.cancelled.subscribe((id) => cancels.get(id)?.()));
  // eslint-disable-next-line rxjs-x/no-ignored-error -- news never errors.
  repeated.add(news.resumed.subscribe(() => client.resume()));
  return {
    ...{ queue: name, worker, client, partnerKey, store, whole, log, previews, uuid, clock, logger },
    rules: { ...defaultRules, ...(isLocal(client.submissionIds) && localRules), ...rules },
    pauseQueue: async (error) => {
      const message = `${error._tag}: ${error.message}`;
      await turns.pause();
      await whole.setPaused(message);
      publish('promptwire:queue:pause', () => ({ queue: name, message }), logger);
      onPause?.(error);
    },
    onCancel: (id, listener) => {
      cancels.set(id, listener);
      return () => void cancels.delete(id);
    },
    warn,
    deliver: sink && ((id) => turns.addDelivery(id)),
  };
};

/** Resolves once the work is done, or so many milliseconds later; rejects where the work does before. */
const within = (ms: number, work: () => Promise<void>): Promise<void> =>
  firstValueFrom(race(defer(work), timerOn(realClock, ms)), { defaultValue: undefined });

const takesWrites = async (queue: OpenQueue): Promise<boolean> =>
  (await askServer(queue, probeWithinMs)) !== undefined;
