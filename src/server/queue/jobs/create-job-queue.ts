import { addCalls } from './add-calls.js';
import { applyQueueEvent, type QueueJobState } from '../follow/queue-state.js';
import { initialJobState } from '../../../core/state/initial-job-state.js';
import { isTerminal } from '../../../core/state/job-state.js';
import { checkQueueOptions, openQueue, type OpenQueue } from './open-queue.js';
import {
  defer,
  endWith,
  from,
  ignoreElements,
  mergeMap,
  type Observable,
  shareReplay,
  takeUntil,
} from 'rxjs';
import { eventsOf, statesOf } from '../follow/follow-log.js';
import type { JobQueueOptions } from '../options.js';
import { lazyGenerate } from '../../../generate/lazy-generate.js';
import { promisedGenerate } from '../../../generate/promised-generate.js';
import type { QueueKind } from '../store/queue-kind.js';
import type { QueueRecord } from '../store/job-store.js';
import { serverControls, serversOf } from './queue-servers.js';
import { queueControls } from './queue-controls.js';
import { queueFiles } from './queue-files.js';
import { readJobLog } from '../follow/read-job-log.js';
import { resolveJob } from './resolve-job.js';
import { suppliedLog } from './supplied-log.js';
import { serviceError } from '../../../core/errors/service-error.js';
import type { JobQueue } from './job-queue.js';
import { changesOf } from './queue-changes.js';
import { phaseOf, shownJob } from './shown-job.js';
import { fromAbortSignal } from '../../../core/interop/from-abort-signal.js';

const pageSize = 200;

/**
 * Opens a queue to add, follow and manage jobs; any number of processes may. `createWorker` runs them.
 *
 * The queue of an account by default; with `over: 'servers'` its jobs run on the servers that workers bring (`pool` of `createWorker`), each on the
 * one where it is expected to end soonest. Connects with the first call. Calls reject with a `ServiceError`: `InvalidConfig` where bullmq or ioredis is not installed. Throws
 * `InvalidConfig` for options that can't work. While Redis is unreachable, calls wait.
 *
 * @example
 * ```ts
 * import type { Workflow } from 'promptwire';
 * import { createJobQueue } from 'promptwire/queue';
 *
 * const makeAll = async (workflows: readonly Workflow[]): Promise<void> => {
 *   await using queue = createJobQueue({ connection: 'redis://127.0.0.1:6379', name: 'pictures', tier: 'creator' });
 *   for (const workflow of workflows) console.log(await queue.add(workflow));
 * };
 * ```
 */
export const createJobQueue = (options: JobQueueOptions): JobQueue => {
  checkQueueOptions(options);
  checkPool(options);
  const { name } = options;
  let opening: Promise<OpenQueue> | undefined;
  const closed = new AbortController();
  const open = (): Promise<OpenQueue> => {
    if (closed.signal.aborted)
      return Promise.reject(serviceError('Closed', { message: 'The queue is closed.' }));
    if (opening === undefined) {
      opening = openQueue(options);
      // The next call tries again: what was wrong may be over by then.
      opening.catch(() => (opening = undefined));
    }
    return opening;
  };
  const opened = <A>(use: (queue: OpenQueue) => Observable<A>): Observable<A> =>
    defer(() => from(open())).pipe(mergeMap(use));
  const recordOf = async (id: string): Promise<QueueRecord> => {
    const record = await (await open()).store.get(id);
    if (record === undefined) throw serviceError('NotFound', { message: `The queue has no job ${id}.` });
    return record;
  };

  const { add, addAll } = addCalls(open, name);
  const follow: JobQueue['follow'] = (id, { after } = {}) => opened((queue) => statesOf(queue, id, after));
  const cancel: JobQueue['cancel'] = async (id) => {
    const { phase, outcome } = await recordOf(id);
    const before = await (await open()).store.cancel(id);
    // A job that ended between the two reads has an outcome only now.
    const isLate = before === 'ended' && phase !== 'ended';
    return phaseOf(before ?? phase, isLate ? (await recordOf(id)).outcome : outcome);
  };
  const files = queueFiles(open, name);
  const over = async (): Promise<QueueKind> => (await open()).kind;
  return {
    add,
    addAll,
    follow,
    generate: promisedGenerate(
      lazyGenerate(async () => {
        const { queueGenerate } = await import('./queue-generate.js');
        return queueGenerate({ add, follow, cancel, over, upload: files.upload }, options);
      }),
    ),
    previews: (id) =>
      opened((queue) => {
        const end = eventsOf(queue, id).pipe(ignoreElements(), endWith(undefined));
        return queue.previews.of(id).pipe(takeUntil(end));
      }),
    socketImage: async (id, place) => (await open()).queueStore.image(id, place),
    log: suppliedLog(open),
    events: (id, { after } = {}) => opened((queue) => eventsOf(queue, id, after)),
    cancel,
    list: async function* ({ tenant, phase } = {}) {
      const { queueStore } = await open();
      let before: string | undefined;
      do {
        const page = await queueStore.page(pageSize, before);
        for (const job of page.records.map(shownJob)) {
          if ((tenant ?? job.tenant) === job.tenant && (phase ?? job.phase) === job.phase) yield job;
        }
        before = page.next;
      } while (before !== undefined);
    },
    changes: () => opened(changesOf).pipe(takeUntil(fromAbortSignal(closed.signal))),
    state: async (id) => {
      const { tenant } = await recordOf(id);
      const { log, queueStore, kind } = await open();
      const first: QueueJobState = initialJobState({ workflow: {} });
      const state = (await readJobLog(log, tenant, id, kind)) ?? first;
      const progress = isTerminal(state.phase) ? undefined : await queueStore.latestProgress(id);
      return progress === undefined
        ? state
        : applyQueueEvent(kind)(state, { type: 'progress', at: 0, progress });
    },
    serverOf: async (id) => (await recordOf(id)).server,
    outputs: async (id) => {
      const { tenant } = await recordOf(id);
      const state = await readJobLog((await open()).log, tenant, id);
      return state?.outputs ?? {};
    },
    resolve: async (id, decision) => resolveJob(await open(), await recordOf(id), decision),
    servers: opened((queue) => serversOf(queue, name)).pipe(
      takeUntil(fromAbortSignal(closed.signal)),
      shareReplay({ bufferSize: 1, refCount: true }),
    ),
    over,
    ...files,
    ...serverControls(open, name),
    ...queueControls(open),
    close,
    [Symbol.asyncDispose]: close,
  };

  async function close(): Promise<void> {
    closed.abort();
    await (await opening?.catch(() => undefined))?.close();
  }
};

/** Throws `InvalidConfig` for a pool beside what has no use for it. */
const checkPool = ({ pool, client, over }: JobQueueOptions): void => {
  if (pool === undefined || (client === undefined && over !== 'account')) return;
  throw serviceError('InvalidConfig', {
    option: 'pool',
    message:
      client === undefined ? 'A queue over an account has no pool.' : 'A queue has a client and a pool.',
    hint: 'Give a client for the queue of an account, or a pool for a queue over servers.',
  });
};
