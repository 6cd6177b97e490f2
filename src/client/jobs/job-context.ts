import type { AcceptedIds } from './accepted-ids.js';
import type { Cancellations } from './repeat-cancellations.js';
import type { Deleting } from '../dialects/deletion.js';
import type { ListJobs } from '../dialects/jobs-query.js';
import type { DialectStrategy, FindSubmission } from '../dialects/dialect.js';
import type { FrameMemory } from './frame-memory.js';
import type { FrameSource } from '../../core/socket/frame-source.js';
import type { JobDurations } from './durations-of-client.js';
import type { JobTracker } from './tracker.js';
import type { LearnedIds } from './submission-ids.js';
import type { Platform } from '../../core/platform/platform.js';
import type { JobRest } from '../../core/http/rest.js';
import type { ServiceError } from '../../core/errors/errors.js';
import { serviceError } from '../../core/errors/service-error.js';
import type { Validate } from './validation.js';

/** The parts of a client that submit and follow jobs. */
export interface JobContext {
  readonly platform: Platform;
  readonly rest: JobRest;
  readonly source: FrameSource;
  readonly dialect: DialectStrategy;
  /** What the service makes of the ids of submissions. */
  readonly ids: LearnedIds;
  /** Looks for the job of a submission whose answer was lost; absent if nothing tells it from others. */
  readonly findSubmission?: FindSubmission | undefined;
  /** Lists the jobs of the service. */
  readonly listJobs: ListJobs;
  /** Cancels many jobs at a time; absent if each is cancelled on its own. */
  readonly cancelMany: ReturnType<NonNullable<DialectStrategy['cancelMany']>> | undefined;
  /** Deletes jobs and files. */
  readonly deleting: Deleting;
  /** What its submissions were answered with. */
  readonly accepted: AcceptedIds;
  /** Where all jobs of the client are followed. */
  readonly tracker: JobTracker;
  /** Where the frames of its handles are kept. */
  readonly frames: FrameMemory;
  /** What its jobs took; absent if the runtime passes none. */
  readonly durations?: JobDurations | undefined;
  /** The same calls, counted until they run, where a program wants to know of those that never do. */
  readonly countedCalls?: (<Calls extends object>(calls: Calls, prefix: string) => Calls) | undefined;
  /** What is not settled yet. */
  readonly work: OpenWork;
  /** Its cancellations, which are repeated until their jobs have ended. */
  readonly cancellations: Cancellations;
  /** Checks workflows before they leave. */
  readonly validate: Validate;
}

/** The submissions of a client and their jobs, as far as they are not settled. */
export interface OpenWork {
  /** Why nothing is submitted any more; undefined until `drain`. */
  readonly refusal: () => ServiceError | undefined;
  /** Counts one more piece of work; call the result once, when it is settled. */
  readonly begin: () => () => void;
  /** Fires with the first `drain`. */
  readonly draining: AbortSignal;
  /** Refuses new submissions from now on, and resolves once nothing is open. */
  readonly drain: () => Promise<void>;
}

/** Counts the open work of one client. */
export const openWork = (): OpenWork => {
  const draining = new AbortController();
  let waiting: (() => void)[] = [];
  let open = 0;

  const settle = (): void => {
    open -= 1;
    if (open > 0) return;
    for (const resolve of waiting) resolve();
    waiting = [];
  };

  return {
    refusal: () => (draining.signal.aborted ? serviceError('Draining', {}) : undefined),
    begin: () => {
      open += 1;
      return settle;
    },
    draining: draining.signal,
    drain: () => {
      draining.abort();
      return new Promise((resolve) => {
        if (open === 0) resolve();
        else waiting.push(resolve);
      });
    },
  };
};
