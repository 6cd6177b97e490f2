import { countExternalJobs } from './count-external-jobs.js';
import { countsExternalJobs } from './check-worker-options.js';
import type { Client } from '../../../client/client-types.js';
import { defaultRules } from '../policy/rules.js';
import { deliverFiles } from './deliver-files.js';
import { maintain } from './maintenance.js';
import type { OpenQueue } from '../jobs/open-queue.js';
import { publish } from '../telemetry/channels.js';
import type { QueueWorkerOptions } from '../options.js';
import { restWhileIdle } from './rest.js';
import type { ContextOf, JobRunner, JobRunnerOptions } from './job-runner.js';
import { runTokens, type TokenRunner } from '../engine/run-tokens.js';
import { Subscription } from 'rxjs';
import type { SubmissionIds } from '../../../core/lost/submission-ids.js';
import { takeOver } from './take-over.js';
import { tellsThrown } from './tell-thrown.js';
import { uuid } from '../../../core/platform/uuid.js';
import { workOverServers } from './servers/work-over-servers.js';

const defaultLockMs = 4_000;
const deliveriesAtOnce = 4;
const isLocal = (submissionIds: SubmissionIds): boolean =>
  submissionIds === 'jobs' || submissionIds === 'unproven';
/** A local server answers at once and lists what it has answered for. */
const localRules = { deadlineMs: 10_000, lagMs: 2_000, lookEveryMs: 2_000 };

/** The jobs and deliveries that a worker runs, and what it does again and again meanwhile. */
export interface Work {
  readonly queue: OpenQueue;
  readonly begin: (options: QueueWorkerOptions, worker: string, stopping: AbortSignal) => Promise<void>;
  /** How many jobs run here. */
  readonly running: () => number;
  /** Takes no more, and resolves once none runs here. */
  readonly finish: () => Promise<void>;
  /** Ends at once, whatever runs here. */
  readonly close: () => Promise<void>;
}

/** Makes the work of a worker on an open queue. */
export const openWork = (queue: OpenQueue): Work => {
  const repeated = new Subscription();
  const runners: { readonly close: () => Promise<void> }[] = [];
  const tokens: TokenRunner[] = [];
  let jobs: JobRunner | undefined;
  let closing: Promise<void> | undefined;
  return {
    queue,
    begin: async (options, worker, stopping) => {
      const { packages, redis, queueStore, clock } = queue;
      const { name, client, sink, lockMs = defaultLockMs } = options;
      const { slots } = await queueStore.stats();
      const contextOf = contextsOf(options, queue, worker, repeated);
      const tellThrown = tellsThrown(queue);
      const given = { options, queue, worker, stopping, lockMs, contextOf, tellThrown };
      const own = (jobs =
        client === undefined ? workOverServers(given) : workOfAccount(given, client, slots));
      runners.push(own);
      // eslint-disable-next-line rxjs-x/no-ignored-error -- notifications never errors.
      repeated.add(queue.notifications.resumed.subscribe(() => own.clients().forEach((one) => one.resume())));
      if (own.slotTokens !== undefined) tokens.push(own.slotTokens);
      if (sink !== undefined) {
        const { clientOf } = own;
        const run = deliverFiles({ sink, clientOf, queue, name, worker, signal: stopping });
        const common = { packages, redis, name, lockMs, clock, isAway: queue.trouble.isAway };
        const deliveries = runTokens({ ...common, queue: 'deliveries', concurrency: deliveriesAtOnce, run });
        tokens.push(deliveries);
        runners.push(deliveries);
      }
      const rest = restWhileIdle(queue.notifications, tokens);
      repeated.add(rest.subscription);
      const maintained = { ...options, ...(queue.kind === 'account' && { slots }) };
      repeated.add(maintain(queue, { ...maintained, tellThrown }, rest));
      if (countsExternalJobs(options) && client !== undefined) repeated.add(countExternalJobs(queue, client));
    },
    running: () => jobs?.running() ?? 0,
    finish: async () => {
      await Promise.all(runners.map((runner) => runner.close()));
    },
    close: () => {
      repeated.unsubscribe();
      for (const runner of tokens) runner.leave();
      return (closing ??= queue.close());
    },
  };
};

/** Runs the jobs of an account by slot tokens. */
const workOfAccount = (
  { options, queue, worker, stopping, lockMs, contextOf, tellThrown }: JobRunnerOptions,
  client: Client,
  slots: number,
): JobRunner => {
  const { packages, redis, store, queueStore, clock, slotTokens } = queue;
  const { name, concurrency = slots } = options;
  const context = contextOf(client, async (message) => {
    await slotTokens.pause();
    await queueStore.setPaused(message);
  });
  const take = takeOver({ store, worker, slots, stopping, clock, context, tellThrown });
  let running = 0;
  const run: typeof take = async (...token) => {
    running += 1;
    try {
      return await take(...token);
    } finally {
      running -= 1;
    }
  };
  const { isAway } = queue.trouble;
  const turns = { queue: 'turns', concurrency, run } as const;
  const runner = runTokens({ packages, redis, name, lockMs, clock, isAway, ...turns });
  return {
    running: () => running,
    close: runner.close,
    clientOf: () => client,
    clients: () => [client],
    slotTokens: runner,
  };
};

/** Makes the parts of each run; `repeated` ends the listening to the queue. */
const contextsOf = (
  { name, partnerKey, rules, sink, onPause }: QueueWorkerOptions,
  { store, queueStore, log, slotTokens, notifications, previews, clock, logger, warn }: OpenQueue,
  worker: string,
  repeated: Subscription,
): ContextOf => {
  const cancels = new Map<string, () => void>();
  // eslint-disable-next-line rxjs-x/no-ignored-error -- notifications never errors.
  repeated.add(notifications.cancelled.subscribe((id) => cancels.get(id)?.()));
  return (client, pauses) => ({
    ...{ queue: name, worker, client, partnerKey, store, queueStore, log, previews, uuid, clock, logger },
    rules: { ...defaultRules, ...(isLocal(client.submissionIds) && localRules), ...rules },
    pauseQueue: async (error) => {
      const message = `${error._tag}: ${error.message}`;
      await pauses(message);
      publish('promptwire:queue:pause', () => ({ queue: name, message }), logger);
      onPause?.(error);
    },
    onCancel: (id, listener) => {
      cancels.set(id, listener);
      return () => void cancels.delete(id);
    },
    warn,
    deliver: sink && ((id) => slotTokens.addDelivery(id)),
  });
};
