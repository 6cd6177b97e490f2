import { checkQueueOptions, openQueue, type OpenQueue } from './open-queue.js';
import { defer, endWith, from, ignoreElements, mergeMap, type Observable, takeUntil } from 'rxjs';
import { eventsOf, type QueueEvent, statesOf } from './follow-log.js';
import { initialJobState } from '../../state/initial-job-state.js';
import type { JobState, Outputs, Preview, TerminalPhase, Workflow } from 'promptwire';
import { publish } from '../telemetry/channels.js';
import type { QueueOptions } from '../options.js';
import type { QueuePhase, QueueRecord } from '../store/job-store.js';
import { readJobLog } from '../worker/job-log.js';
import { roundedInApi } from '../../protocol/rounded-integers.js';
import { realClock } from '../../platform/clock.js';
import { serviceError } from '../../errors/service-error.js';
import { settledQueue } from './settled-queue.js';
import { setSlots } from './slots.js';
import { uuid } from '../../platform/uuid.js';

/** Options of `JobQueue.add`. */
export interface AddOptions {
  /** The id of the job: a UUID of yours, by which a call that is repeated adds no second job. Default: a new one. */
  readonly id?: string | undefined;
  /** A key of the tenant's: a second job of it is not added, and `add` gives the id of the first one. */
  readonly key?: string | undefined;
  /** Whose job it is: tenants take turns. Default: the one tenant ''. */
  readonly tenant?: string | undefined;
  /** Higher ones go first within their tenant; default 0. */
  readonly priority?: number | undefined;
  /** The job waits so many milliseconds before its turn may come; default 0. */
  readonly delayMs?: number | undefined;
  /** Sent as `extra_data`; a credential is refused, since a queue keeps no key. */
  readonly extraData?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Where a job of a queue is: it waits for its time or for a slot, a worker has it (`running`), or it is over, in one of the terminal
 * phases of a job.
 */
export type QueueJobPhase = 'delayed' | 'waiting' | 'running' | TerminalPhase;

/** A job as `list` gives it. */
export interface QueueJob {
  /** The queue's id of the job. */
  readonly id: string;
  /** Whose job it is. */
  readonly tenant: string;
  /** Where it is; `unknown` waits for a person. */
  readonly phase: QueueJobPhase;
  /** Higher ones go first within their tenant. */
  readonly priority: number;
  /** The key that it was added with. */
  readonly key?: string | undefined;
  /** When it was added, by the clock of the store, in milliseconds since 1970. */
  readonly createdAt: number;
  /** When it was over, likewise. */
  readonly endedAt?: number | undefined;
  /** How it ended, or why it is unknown. */
  readonly reason?: string | undefined;
  /** The worker that holds it. */
  readonly worker?: string | undefined;
  /** The service's id of the job, once it is known. */
  readonly promptId?: string | undefined;
}

/** Which jobs `list` gives. */
export interface ListOptions {
  /** Of this tenant; default of all. */
  readonly tenant?: string | undefined;
  /** In this phase; default in any. */
  readonly phase?: QueueJobPhase | undefined;
}

/** How full a queue is. */
export interface QueueStats {
  /** Jobs that wait for a slot. */
  readonly waiting: number;
  /** Jobs that wait for their time. */
  readonly delayed: number;
  /** Jobs that workers hold: slots in use. */
  readonly held: number;
  /** Jobs that wait for a person. */
  readonly unknown: number;
  /** Jobs that are over and still listed. */
  readonly ended: number;
  /** Slots in all: how many jobs the account runs at once. */
  readonly slots: number;
  /** Slots that jobs of other programs use, where a worker counts them (`countForeignJobs`); else 0. */
  readonly foreign: number;
  /** Whether the queue takes no more jobs. */
  readonly draining: boolean;
  /** Why no job begins; absent where the queue is not paused. */
  readonly paused?: string | undefined;
}

/** A queue of jobs for one account of the service, from any process, as `createJobQueue` makes it. */
export interface JobQueue extends AsyncDisposable {
  /**
   * Adds a job, and gives the queue's id of it once it is durable.
   *
   * Rejects with `InvalidConfig` for a credential in `extraData`, `TooLarge` for a workflow above `maxWorkflowBytes`, and
   * `Draining` while the queue drains. Integers that may have been rounded before they came here are among the `problems` of its states.
   */
  readonly add: (workflow: Workflow, options?: AddOptions) => Promise<string>;
  /**
   * Follows a job, on whichever machine it runs: every state of its log, from the first one, then each new one with its progress.
   *
   * Cold. Completes after the terminal state; a job that fails is a state. Errors with `NotFound` for a job that the queue does not know.
   * While Redis is away it waits. Unsubscribing leaves the job alone. With `after`, the id of an event, it goes on after that event; after the last one it is the last
   * state.
   */
  readonly follow: (id: string, options?: { readonly after?: string | undefined }) => Observable<JobState>;
  /**
   * The previews of a job while it runs, the newest ones: they are not kept, so a follower gets those from then on.
   *
   * Cold. Completes with the job; errors with `NotFound` for a job that the queue does not know.
   */
  readonly previews: (id: string) => Observable<Preview>;
  /** The lifecycle of a job as events with ids; `follow` is what they lead to. */
  readonly events: (id: string, options?: { readonly after?: string | undefined }) => Observable<QueueEvent>;
  /**
   * Asks for the end of a job: one that waits is over at once, one that runs is cancelled by its worker, and its states say how it ended.
   * Gives the phase that the job was in before: a terminal one says that it was over, and that nothing was asked. Rejects with
   * `NotFound` for a job that the queue does not know.
   */
  readonly cancel: (id: string) => Promise<QueueJobPhase>;
  /** Gives the jobs of the queue, the newest first, page by page as they are asked for. */
  readonly list: (options?: ListOptions) => AsyncGenerator<QueueJob, void>;
  /** Reads the outputs of a job as far as its log has them. */
  readonly outputs: (id: string) => Promise<Outputs>;
  /**
   * Decides what became of a job that is `unknown`: it is this job of the service, it is to be submitted again (which may cost twice),
   * or it is over.
   */
  readonly resolve: (
    id: string,
    decision: { readonly promptId: string } | 'resubmit' | 'forget',
  ) => Promise<void>;
  /** Lets no further job begin; what runs goes on. */
  readonly pause: (reason?: string) => Promise<void>;
  /** Goes on after `pause`, after a refusal of the account, and after `drain`. */
  readonly resume: () => Promise<void>;
  /** Takes no more jobs, and resolves once none waits and none runs. */
  readonly drain: () => Promise<void>;
  /** Ends all jobs that wait and that the service has not; gives how many. */
  readonly clear: () => Promise<number>;
  /** Says how full the queue is. */
  readonly stats: () => Promise<QueueStats>;
  /** How many jobs of this tenant run for one of a tenant with the weight 1. */
  readonly setWeight: (tenant: string, weight: number) => Promise<void>;
  /** Changes how many jobs the account runs at once. */
  readonly setTier: (tier: NonNullable<QueueOptions['tier']>) => Promise<void>;
  /** Closes the connections; jobs and workers go on. */
  readonly close: () => Promise<void>;
}

const pageSize = 200;

/**
 * Opens a queue to add, follow and manage jobs; any number of processes may. `createWorker` runs them.
 *
 * Connects with the first call. Calls reject with a `ServiceError`: `InvalidConfig` where bullmq or ioredis is not installed. Throws
 * `InvalidConfig` for options that can't work. While Redis is away, calls wait.
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
export const createJobQueue = (options: QueueOptions): JobQueue => {
  checkQueueOptions(options);
  const { name } = options;
  let opening: Promise<OpenQueue> | undefined;
  let isClosed = false;
  const open = (): Promise<OpenQueue> => {
    if (isClosed) return Promise.reject(serviceError('Closed', { message: 'The queue is closed.' }));
    return (opening ??= openQueue(options));
  };
  const opened = <A>(use: (queue: OpenQueue) => Observable<A>): Observable<A> =>
    defer(() => from(open())).pipe(mergeMap(use));
  const recordOf = async (id: string): Promise<QueueRecord> => {
    const record = await (await open()).store.get(id);
    if (record === undefined) throw serviceError('NotFound', { message: `The queue has no job ${id}.` });
    return record;
  };

  return {
    add: async (workflow, { id = uuid(), delayMs = 0, ...more } = {}) => {
      const { store, turns } = await open();
      const startedAt = realClock.wall();
      const rounded = roundedInApi(workflow);
      const state = initialJobState({ workflow, ...(rounded.length > 0 && { problems: rounded }) });
      const isDelayed = delayMs > 0;
      const events = [{ type: 'submitted', at: startedAt, state }] as const;
      const known = await store.add({ ...more, id, workflow, events, ...(isDelayed && { delayMs }) });
      if (known === undefined) {
        const message = 'The queue drains, and takes no more jobs.';
        throw serviceError('Draining', { message, hint: 'Resume the queue, or use another one.' });
      }
      if (known === id) await turns.add(id, delayMs);
      const about = { queue: name, jobId: known, tenant: more.tenant ?? '', startedAt };
      publish('promptwire:queue:add', () => ({ ...about, endedAt: realClock.wall() }));
      return known;
    },
    follow: (id, { after } = {}) => opened((queue) => statesOf(queue, id, after)),
    previews: (id) =>
      opened((queue) => {
        const end = eventsOf(queue, id).pipe(ignoreElements(), endWith(undefined));
        return queue.previews.of(id).pipe(takeUntil(end));
      }),
    events: (id, { after } = {}) => opened((queue) => eventsOf(queue, id, after)),
    cancel: async (id) => {
      const { phase, outcome } = await recordOf(id);
      const before = await (await open()).store.cancel(id);
      // A job that ended between the two reads has an outcome only now.
      const isLate = before === 'ended' && phase !== 'ended';
      return phaseOf(before ?? phase, isLate ? (await recordOf(id)).outcome : outcome);
    },
    list: async function* ({ tenant, phase } = {}) {
      const { whole } = await open();
      let before: string | undefined;
      for (;;) {
        const page = await whole.page(pageSize, before);
        for (const job of page.map(shown)) {
          if ((tenant ?? job.tenant) === job.tenant && (phase ?? job.phase) === job.phase) yield job;
        }
        before = page.at(-1)?.id;
        if (page.length < pageSize) return;
      }
    },
    outputs: async (id) => {
      const { tenant } = await recordOf(id);
      const state = await readJobLog((await open()).log, tenant, id);
      return state?.outputs ?? {};
    },
    resolve: async (id, decision) => {
      const { phase, intent } = await recordOf(id);
      if (phase !== 'unknown') {
        throw serviceError('InvalidConfig', {
          option: 'id',
          message: `The job ${id} is ${phase}, not unknown.`,
        });
      }
      const { whole, turns, store } = await open();
      if (typeof decision === 'string') await whole.resolve(id, decision);
      else {
        const kept = await store.answered(id, intent?.submissionId ?? '', decision.promptId);
        if (kept === undefined) {
          const message = `The job ${decision.promptId} of the service belongs to another job of the queue.`;
          throw serviceError('InvalidConfig', { option: 'promptId', message });
        }
      }
      if (decision !== 'forget') await turns.add(uuid());
    },
    pause: async (reason = 'paused') => {
      const { turns, whole } = await open();
      await turns.pause();
      await whole.setPaused(reason);
    },
    resume: async () => {
      const { turns, whole } = await open();
      await whole.setDraining(false);
      await whole.setPaused(undefined);
      await turns.resume();
    },
    drain: async () => {
      const queue = await open();
      await queue.whole.setDraining(true);
      await settledQueue(queue.whole);
    },
    clear: async () => (await open()).whole.clear(),
    stats: async () => {
      return (await open()).whole.stats();
    },
    setWeight: async (tenant, weight) => (await open()).store.setWeight(tenant, weight),
    setTier: async (tier) => {
      checkQueueOptions({ name, tier });
      await setSlots(await open(), tier);
    },
    close,
    [Symbol.asyncDispose]: close,
  };

  async function close(): Promise<void> {
    isClosed = true;
    await (await opening?.catch(() => undefined))?.close();
  }
};

const shown = ({ id, tenant, phase, outcome, priority, createdAt, ...record }: QueueRecord): QueueJob => {
  const { key, endedAt, reason, worker, promptId } = record;
  const where = phaseOf(phase, outcome);
  return { id, tenant, phase: where, priority, key, createdAt, endedAt, reason, worker, promptId };
};

const phaseOf = (phase: QueuePhase, outcome: TerminalPhase = 'failed'): QueueJobPhase =>
  phase === 'held' ? 'running' : phase === 'ended' ? outcome : phase;
