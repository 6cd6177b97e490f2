import { acceptedIds } from './jobs/accepted-ids.js';
import type { ClientOptions } from './client-options.js';
import type { Credentials } from './credentials.js';
import type { DialectStrategy } from './dialects/dialect.js';
import { frameMemory } from './jobs/frame-memory.js';
import { type JobContext, openWork } from './jobs/job-context.js';
import type { JobDurations } from './jobs/durations-of-client.js';
import { loggedTracker } from './log-client.js';
import { jobTracker } from './jobs/tracker.js';
import { knownJobs, notingRest } from './jobs/known-jobs.js';
import { lazyValidation } from './jobs/validate.js';
import { learnedIds } from './jobs/submission-ids.js';
import type { Platform } from '../core/platform/platform.js';
import { repeatCancellations } from './jobs/repeat-cancellations.js';
import type { RateLimiter } from './jobs/rate-limiter.js';
import type { ServiceConnection } from './connect.js';
import type { UnrunCalls } from './unrun-calls.js';

/** Makes what submitting and following share: the tracker of all jobs, and what is known of them. */
export const openJobs = (
  { keptFrames, recordWithinMs, notFoundAfterMs }: ClientOptions,
  {
    platform,
    dialect,
    credentials,
    limiter,
    service: { connection, rest, source, logger },
    durations,
    unrun,
  }: {
    readonly platform: Platform;
    readonly dialect: DialectStrategy;
    readonly credentials: Credentials;
    readonly limiter: RateLimiter;
    readonly service: ServiceConnection;
    readonly durations: JobDurations | undefined;
    readonly unrun: UnrunCalls;
  },
): JobContext => {
  const known = knownJobs(platform.clock);
  const ids = learnedIds(dialect.jobs, platform.uuid);
  const noting = notingRest(rest, known, dialect.jobs);
  const asking = { platform, rest: { ...noting, submit: ids.learning(noting.submit) }, source };
  const cancellations = repeatCancellations({
    clock: platform.clock,
    jobStatus: asking.rest.jobStatus,
    cancel: (promptId) => dialect.cancel(asking.rest, promptId),
    connection: source.states,
  });
  const tracker = jobTracker({
    ...asking,
    limiter,
    known,
    serves: dialect.keyCheck(connection),
    queuedJobs: dialect.queuedJobs?.(connection),
    recordWithinMs,
    imageBytes: keptFrames?.imageBytes,
    endIsKnown: cancellations.ended,
    dialect,
    notFoundAfterMs: notFoundAfterMs ?? dialect.limits.notFoundAfterMs,
  });
  return {
    ...asking,
    dialect,
    cancellations,
    ids,
    findSubmission: dialect.findSubmission?.(connection),
    listJobs: dialect.listJobs(connection),
    cancelMany: dialect.cancelMany?.(connection),
    deleting: dialect.deleting(connection, rest),
    accepted: acceptedIds(),
    tracker: logger === undefined ? tracker : loggedTracker(logger, tracker),
    frames: frameMemory(platform.clock, keptFrames),
    durations,
    countedCalls: unrun.counted,
    work: openWork(),
    validate: lazyValidation(rest, credentials.secrets.redactValue),
  };
};
