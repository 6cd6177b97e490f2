import { defaultLookRules, type LookRules } from '../../../core/lost/decide-match.js';
import { answerWithin } from '../../../core/platform/answer-within.js';
import { awaitEnd } from './await-end.js';
import { cancelJob } from './cancel-job.js';
import { cancellations } from './cancellations.js';
import { deleteJob } from './delete-job.js';
import * as E from '../../../core/protocol/either.js';
import type { EventLog } from '../../joblog/event-log.js';
import { following } from '../upstream/following.js';
import { forgetExpired } from './forget-expired.js';
import type { GatewayJobs } from '../model/gateway-jobs.js';
import { jobLeases, type RenewHandlers } from './job-leases.js';
import { jobRegistry } from '../registry/job-registry.js';
import type { JobIndex } from '../../joblog/job-index.js';
import { jobStreams, type StreamOptions } from '../streams/job-streams.js';
import { ownedJobs } from './owned-jobs.js';
import { poller } from '../lost/poller.js';
import { recover, recoverJobs } from './recovery.js';
import { serviceError } from '../../../core/errors/service-error.js';
import { sharedJobs } from '../registry/shared-jobs.js';
import { sharedPreviews } from '../upstream/shared-previews.js';
import type { SubmissionContext } from './submission-context.js';
import { submissions } from './submission.js';
import { type SuppliedJobs, suppliedJobs } from './supplied-jobs.js';
import { Subscription } from 'rxjs';
import { startWebhooks } from '../webhooks/start-webhooks.js';
import type { WebhookStore } from '../ports/webhook-store.js';
import type { Upstream } from '../upstream/upstream.js';
import { deliveriesOf, type WebhookOptions } from '../webhooks/webhook-options.js';

/** The ports, services and bounds of a gateway's jobs. */
export interface JobsOptions extends StreamOptions {
  readonly uuid: () => string;
  readonly index: JobIndex;
  readonly log: EventLog;
  /** By name; the first one takes submissions that name no service. */
  readonly upstreams: Readonly<Record<string, Upstream>>;
  /** How long a job is known after its end; default 24 hours. */
  readonly retentionMs?: number | undefined;
  /** How many jobs of one owner may be under way at once; default 1 000. */
  readonly jobsPerOwner?: number | undefined;
  /** How many characters of the records of one owner may be kept; default as many as of all. */
  readonly bytesPerOwner?: number | undefined;
  /** How a job is looked for whose submission got no answer. */
  readonly lostAnswers?: Partial<LookRules> | undefined;
  /** Sends what happens to the owners' webhooks; absent if the gateway sends no webhooks. */
  readonly webhooks?: WebhookOptions | undefined;
  /** Default in memory. */
  readonly webhookStore?: WebhookStore | undefined;
}

const dayMs = 24 * 60 * 60 * 1000;

/** How long `close` waits for submissions under way: container managers kill a process 10 s after they ask it to end. */
const closeWithinMs = 5_000;

/** How long `close` then waits for what index and log have not stored yet. */
const storesWithinMs = 2_000;

/**
 * Takes up the jobs that the index knows, and serves those of all owners from then on.
 *
 * It owns index and log, and closes them with itself. The upstreams stay open.
 */
export const createJobs = async (options: JobsOptions): Promise<GatewayJobs> => {
  const { clock, uuid, index, log, upstreams, retentionMs = dayMs } = options;
  const { jobsPerOwner = 1_000, bytesPerOwner } = options;
  const stopped = new AbortController();
  const registry = jobRegistry(clock, index, log, retentionMs, stopped.signal);
  const followed = following(registry, clock, index.images);
  const cancels = cancellations({ clock, registry, following: followed, upstreams });
  const shared = sharedJobs(registry, index, log, clock);
  const held = jobLeases(index, uuid(), clock);
  const lookRules = { ...defaultLookRules, ...options.lostAnswers };
  const pollers = pollersOf(options, lookRules.lookEveryMs);
  const context: SubmissionContext = {
    ...{ clock, uuid, index, registry, held, shared, following: followed, lookRules, pollers },
    ...{
      upstreams,
      retentionMs,
      jobsPerOwner,
      bytesPerOwner,
      stopped: stopped.signal,
      cancellations: cancels,
    },
  };
  const supplied = suppliedJobs(context);
  const { submit, settled } = submissions(context, supplied);
  const streams = jobStreams(options, registry, log);
  const timers = new Subscription();
  timers.add(sharedPreviews(registry, upstreams));
  timers.add(supplied.listen());
  await supplied.opened();
  await recoverJobs(context, supplied);
  const webhooks =
    options.webhooks &&
    (await startWebhooks({ ...deliveriesOf(options.webhooks, options.webhookStore), clock, log }, registry));

  timers.add(forgetExpired(clock, index, registry, shared));
  timers.add(shared.listen());
  timers.add(held.renewing(leaseChanges(context, supplied)));

  const jobs = ownedJobs(registry, shared, clock);
  return {
    webhooks,
    submit: (owner, submission) =>
      stopped.signal.aborted
        ? Promise.resolve({ _tag: 'refused', error: serviceError('Closed', {}) })
        : submit(owner, submission),
    get: jobs.get,
    list: jobs.list,
    ended: (job, wait) => awaitEnd(registry, clock, stopped.signal, job, wait),
    cancel: async (owner, id) => {
      const job = await jobs.get(owner, id);
      return job && cancelJob(context, job);
    },
    delete: async (owner, id) => {
      const job = await jobs.get(owner, id);
      return job && deleteJob(context, job);
    },
    stream: async (scope, form, start, ends) => {
      if (scope.jobId === undefined) await shared.sync(scope.owner);
      else if ((await jobs.get({ name: scope.owner }, scope.jobId)) === undefined) return undefined;
      return streams.open(scope, form, start, ends);
    },
    preview: (owner, id, nodeId) => {
      const previews = jobs.known(owner, id)?.previews;
      return Promise.resolve(
        nodeId === undefined ? [...(previews?.values() ?? [])].at(-1) : previews?.get(nodeId),
      );
    },
    image: async ({ record }, place) =>
      (await index.images?.get(record.id, place)) ??
      upstreams[record.client]?.image?.(record.submissionId, place),
    view: (job, file, viewOptions) => {
      const upstream = upstreams[job.record.client];
      return upstream === undefined
        ? () => Promise.resolve(E.left(serviceError('NotFound', { message: 'The job’s service is gone.' })))
        : upstream.view(file, viewOptions, job);
    },
    close: async () => {
      if (stopped.signal.aborted) return;
      stopped.abort();
      timers.unsubscribe();
      streams.close();
      // The next start finds what happened after this, as after a kill.
      await answerWithin(clock, closeWithinMs, settled, undefined);
      followed.stop();
      cancels.stop();
      // Index and log may be unreachable, and wait for their server.
      await answerWithin(clock, storesWithinMs, held.releaseAll, undefined);
      await answerWithin(clock, storesWithinMs, registry.settled, undefined);
      await webhooks?.close();
      await index.close?.();
      await log.close?.();
    },
  };
};

/** What a process does with the jobs that it comes to hold, or holds no more. */
const leaseChanges = (context: SubmissionContext, supplied: SuppliedJobs): RenewHandlers => {
  const { registry, following: followed, shared } = context;
  return {
    isOver: (id) => registry.get(id)?.record.ended !== undefined,
    lost: (id) => {
      followed.leave(id);
      registry.relinquish(id);
    },
    found: async (records) => {
      for (const owner of new Set(records.map((record) => record.owner))) await shared.sync(owner);
      await recover(context, supplied, records);
    },
  };
};

/** Looks for lost jobs, by the names of the services. */
const pollersOf = ({ upstreams, index, clock }: JobsOptions, everyMs: number): SubmissionContext['pollers'] =>
  Object.fromEntries(
    Object.entries(upstreams).map(([client, upstream]) => [
      client,
      poller({ client, upstream, index, clock, everyMs }),
    ]),
  );
