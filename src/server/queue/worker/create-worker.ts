import { checkWorkerOptions } from './check-worker-options.js';
import { openQueue, type OpenQueue, warningsOf } from '../jobs/open-queue.js';
import { openWork, type Work } from './open-work.js';
import { endWork } from './end-work.js';
import { connectionTrouble } from '../redis/connection-trouble.js';
import { patience } from '../redis/patience.js';
import type { QueueWorker, WorkerCloseOptions } from './queue-worker.js';
import type { QueueWorkerOptions } from '../options.js';
import { realClock } from '../../../core/platform/clock.js';
import { askServer } from './ask-server.js';
import { BehaviorSubject } from 'rxjs';
import { uuid } from '../../../core/platform/uuid.js';

/** How long a probe waits for Redis, in milliseconds. */
const probeWithinMs = 2_000;

/**
 * Runs the jobs of a queue on this machine; any number of workers share the slots of the account, or those of each server.
 *
 * With a `client` the jobs are those of its account. With a `pool` they run on its servers, in a queue over servers: each job goes to the server
 * where it is expected to end soonest, of all that living workers bring, and a worker that dies leaves its jobs to workers that reach the
 * same server. A server that refuses its account is paused, with the reason.
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
 * const client = createClient({ baseUrl: 'http://127.0.0.1:8188', dialect: 'local' });
 * const worker = createWorker({ connection: 'redis://127.0.0.1:6379', name: 'pictures', client, sink: folderSink('out') });
 * process.once('SIGTERM', () => void worker.close({ graceMs: 20_000 }).then(() => client.close()));
 * ```
 * @example
 * ```ts
 * import { createPool } from 'promptwire/pool';
 * import { createWorker } from 'promptwire/queue';
 *
 * const pool = createPool({
 *   servers: [
 *     { name: 'attic', baseUrl: 'http://10.0.0.7:8188', dialect: 'local' },
 *     { name: 'cellar', baseUrl: 'http://10.0.0.8:8188', dialect: 'local', tags: ['big'] },
 *   ],
 * });
 * const worker = createWorker({ connection: 'redis://127.0.0.1:6379', name: 'engines', pool });
 * ```
 */
export const createWorker = (options: QueueWorkerOptions): QueueWorker => {
  checkWorkerOptions(options);
  const id = uuid();
  const stopping = new AbortController();
  const leaving = new AbortController();
  const closing = new AbortController();
  const trouble = connectionTrouble({ clock: realClock, tell: warningsOf(options) });
  const work = new BehaviorSubject<Work | undefined>(undefined);
  let closed: Promise<void> | undefined;

  const begin = async (): Promise<void> => {
    const ended = AbortSignal.any([stopping.signal, leaving.signal]);
    const patient = patience({ clock: realClock, ended, refused: trouble.refused });
    const over = options.pool === undefined ? 'account' : 'servers';
    const queue = await openQueue({ ...options, over }, { left: leaving.signal, trouble, patience: patient });
    const opened = openWork(queue);
    work.next(opened);
    if (!closing.signal.aborted) await opened.begin(options, id, stopping.signal);
  };
  const ready = begin();
  ready.catch(() => undefined);

  const end = async ({ graceMs = 0 }: WorkerCloseOptions): Promise<void> => {
    closing.abort();
    if (work.value === undefined) leaving.abort();
    await ready.catch(() => undefined);
    const stop = (): void => stopping.abort();
    try {
      await endWork({ clock: realClock, work: work.value, isAway: trouble.isAway, stop }, graceMs);
    } finally {
      leaving.abort();
    }
  };
  const close: QueueWorker['close'] = (given = {}) => (closed ??= end(given));

  return {
    id,
    ready,
    health: async () => {
      const { value: open } = work;
      const isReady = !closing.signal.aborted && open !== undefined && (await takesWrites(open.queue));
      const isClosing = closing.signal.aborted;
      const reason = isReady || isClosing ? undefined : trouble.words()?.reason;
      return {
        ready: isReady,
        running: open?.running() ?? 0,
        closing: isClosing,
        ...(reason !== undefined && { reason }),
      };
    },
    close,
    [Symbol.asyncDispose]: () => close(),
  };
};

const takesWrites = async (queue: OpenQueue): Promise<boolean> =>
  (await askServer(queue, probeWithinMs)) !== undefined;
