import type { JobEntry } from '../registry/job-entry.js';
import { defaultLookRules, type LookRules } from '../../../core/lost/decide-match.js';
import * as E from '../../../core/protocol/either.js';
import type { EventLog } from '../../joblog/event-log.js';
import { following } from '../upstream/following.js';
import type { GatewayJob, GatewayJobs, JobFilter, JobOwner } from '../model/gateway-jobs.js';
import { jobLeases } from './job-leases.js';
import { isTerminal } from '../../../core/state/job-state.js';
import { jobRegistry } from '../registry/job-registry.js';
import type { JobIndex } from '../../joblog/job-index.js';
import { jobStreams, type StreamOptions } from '../streams/job-streams.js';
import { poller } from '../lost/poller.js';
import { recover, recoverJobs } from './recovery.js';
import { serviceError } from '../../../core/errors/service-error.js';
import { sharedJobs } from '../registry/shared-jobs.js';
import { sharedPreviews } from '../upstream/shared-previews.js';
import { type SubmissionContext, submissions } from './submission.js';
import { timerOn } from '../../../core/platform/timer.js';
import { firstValueFrom, from, race, repeat, Subscription } from 'rxjs';
import { startWebhooks } from '../webhooks/start-webhooks.js';
import type { WebhookStore } from '../ports/webhook-store.js';
import type { Upstream } from '../upstream/upstream.js';
import { deliveriesOf, type WebhookOptions } from '../webhooks/webhook-options.js';

/** What {@link createJobs} takes. */
export interface JobsOptions extends StreamOptions {
  readonly uuid: () => string;
  readonly index: JobIndex;
  readonly log: EventLog;
  /** By name; the first one takes what names none. */
  readonly upstreams: Readonly<Record<string, Upstream>>;
  /** How long a job is known after its end; default 24 hours. */
  readonly retentionMs?: number | undefined;
  /** How many jobs of one owner may be under way at once; default 1 000. */
  readonly jobsPerOwner?: number | undefined;
  /** How a job is looked for whose submission got no answer. */
  readonly lostAnswers?: Partial<LookRules> | undefined;
  /** Sends what happens to the owners' webhooks; absent where there are none. */
  readonly webhooks?: WebhookOptions | undefined;
  /** Default in memory. */
  readonly webhookStore?: WebhookStore | undefined;
}

const dayMs = 24 * 60 * 60 * 1000;
const expireEveryMs = 60_000;

/** How long `close` waits for submissions under way: container managers kill a process 10 s after they ask it to end. */
const closeWithinMs = 5_000;

/**
 * Takes up the jobs that the index knows, and serves those of all owners from then on.
 *
 * It owns index and log, and closes them with itself. The upstreams stay open.
 */
export const createJobs = async (options: JobsOptions): Promise<GatewayJobs> => {
  const { clock, uuid, index, log, upstreams, retentionMs = dayMs, jobsPerOwner = 1_000 } = options;
  const stopped = new AbortController();
  const registry = jobRegistry(clock, index, log, retentionMs, stopped.signal);
  const followed = following(registry, clock);
  const shared = sharedJobs(registry, index, log, clock);
  const held = jobLeases(index, uuid(), clock);
  const lookRules = { ...defaultLookRules, ...options.lostAnswers };
  const pollers = Object.fromEntries(
    Object.entries(upstreams).map(([client, upstream]) => [
      client,
      poller({ client, upstream, index, clock, everyMs: lookRules.lookEveryMs }),
    ]),
  );
  const context: SubmissionContext = {
    ...{ clock, uuid, index, registry, held, shared, following: followed, lookRules, pollers },
    ...{ upstreams, retentionMs, jobsPerOwner, stopped: stopped.signal },
  };
  const { submit, settled } = submissions(context);
  const streams = jobStreams(options, registry, log);
  const timers = new Subscription();
  timers.add(sharedPreviews(registry, upstreams));
  await recoverJobs(context);
  const webhooks =
    options.webhooks &&
    (await startWebhooks({ ...deliveriesOf(options.webhooks, options.webhookStore), clock, log }, registry));

  const expire = async (): Promise<void> => {
    for (const record of await index.expire(clock.wall()))
      await registry.remove(record).catch(() => undefined);
    await shared.kept(
      registry.all().filter(({ record }) => record.ended !== undefined && record.expiresAt <= clock.wall()),
    );
  };
  timers.add(
    timerOn(clock, expireEveryMs, { background: true })
      .pipe(repeat())
      .subscribe({ next: () => void expire().catch(() => undefined), error: () => undefined }),
  );

  timers.add(shared.listen());
  timers.add(
    held.renewing({
      isOver: (id) => registry.get(id)?.record.ended !== undefined,
      lost: (id) => {
        followed.leave(id);
        registry.relinquish(id);
      },
      found: async (records) => {
        for (const owner of new Set(records.map((record) => record.owner))) await shared.sync(owner);
        await recover(context, records);
      },
    }),
  );

  const known = ({ name }: JobOwner, id: string): JobEntry | undefined => {
    const job = registry.get(id);
    return job?.record.owner === name ? job : undefined;
  };
  /** The job as it is now, also where another process submitted or removed it. */
  const own = async (owner: JobOwner, id: string): Promise<JobEntry | undefined> => {
    await shared.sync(owner.name);
    const job = known(owner, id);
    return job === undefined || (await shared.kept([job])).length === 0 ? undefined : known(owner, id);
  };

  return {
    webhooks,
    submit: (owner, submission) =>
      stopped.signal.aborted
        ? Promise.resolve({ _tag: 'refused', error: serviceError('Closed', {}) })
        : submit(owner, submission),
    get: own,
    list: async ({ name }, filter) => {
      await shared.sync(name);
      const jobs = registry.ofOwner(name).toReversed();
      const start = filter.after === undefined ? 0 : placeAfter(jobs, filter.after);
      if (start === undefined) return undefined;
      const found = jobs.slice(start).filter((job) => passes(job, filter));
      const page = found.slice(0, filter.limit);
      const last = found.length > page.length ? page.at(-1) : undefined;
      return { jobs: await shared.kept(page), ...(last !== undefined && { next: cursorOf(last) }) };
    },
    cancel: async (owner, id) => {
      const job = await own(owner, id);
      if (job === undefined) return undefined;
      const { record } = job;
      if (isTerminal(job.state.phase)) return { _tag: 'taken', job, requested: false };
      if (record.cancelRequestedAt === undefined) {
        const cancelRequestedAt = clock.wall();
        registry.setRecord({ ...record, cancelRequestedAt });
        await Promise.all([
          index.update(id, { cancelRequestedAt }),
          registry.append(id, { type: 'cancelRequested', at: cancelRequestedAt }),
        ]);
      }
      const upstream = upstreams[record.client];
      const ownId = upstream?.submissionIds === 'jobs' ? record.submissionId : undefined;
      const promptId = registry.get(id)?.record.promptId ?? ownId;
      // A job that is looked for is cancelled once it is found.
      const asked = promptId === undefined ? undefined : await upstream?.cancel(promptId)();
      const now = known(owner, id) ?? job;
      // A job that is over needs no end.
      return asked !== undefined && E.isLeft(asked) && !isTerminal(now.state.phase)
        ? { _tag: 'failed', job: now, error: asked.left }
        : { _tag: 'taken', job: now, requested: true };
    },
    stream: async (scope, form, start, ends) => {
      if (scope.jobId === undefined) await shared.sync(scope.owner);
      else if ((await own({ name: scope.owner }, scope.jobId)) === undefined) return undefined;
      return streams.open(scope, form, start, ends);
    },
    preview: (owner, id, nodeId) => {
      const previews = known(owner, id)?.previews;
      return Promise.resolve(
        nodeId === undefined ? [...(previews?.values() ?? [])].at(-1) : previews?.get(nodeId),
      );
    },
    view: ({ record }, file, viewOptions) => {
      const upstream = upstreams[record.client];
      return upstream === undefined
        ? () => Promise.resolve(E.left(serviceError('NotFound', { message: 'The job’s service is gone.' })))
        : upstream.view(file, viewOptions);
    },
    close: async () => {
      if (stopped.signal.aborted) return;
      stopped.abort();
      timers.unsubscribe();
      streams.close();
      // What comes later is found out about at the next start, as after a kill.
      await firstValueFrom(race(from(settled()), timerOn(clock, closeWithinMs)), { defaultValue: undefined });
      followed.stop();
      await held.giveUp().catch(() => undefined);
      await registry.settled();
      await webhooks?.close();
      await index.close?.();
      await log.close?.();
    },
  };
};

/** Names a place in a list of jobs, also once the job there is forgotten. */
const cursorOf = ({ record }: GatewayJob): string => `${record.createdAt.toString(36)}_${record.id}`;

/** Where the jobs after a cursor begin in a list whose newest come first; undefined where it is none. */
const placeAfter = (jobs: readonly GatewayJob[], cursor: string): number | undefined => {
  const [, time = '', id] = /^([0-9a-z]{1,11})_(.{1,64})$/su.exec(cursor) ?? [];
  if (id === undefined) return undefined;
  const place = jobs.findIndex(({ record }) => record.id === id);
  if (place >= 0) return place + 1;
  const older = jobs.findIndex(({ record }) => record.createdAt < Number.parseInt(time, 36));
  return older < 0 ? jobs.length : older;
};

const passes = (
  { record, state }: GatewayJob,
  { phase, metadata = {}, template }: Pick<JobFilter, 'phase' | 'metadata' | 'template'>,
): boolean =>
  (phase === undefined || phase.includes(state.phase)) &&
  (template === undefined || record.template === template) &&
  Object.entries(metadata).every(([name, value]) => record.metadata?.[name] === value);
