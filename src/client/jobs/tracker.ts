import { deafSocketDetector } from './deaf-socket.js';
import { imageBound } from './image-bound.js';
import { latestIds } from './latest-ids.js';
import { listsByKey } from '../../core/protocol/collections.js';
import { timerQueue } from './timer-queue.js';
import type { ConnectionState } from '../../core/socket/connection-state.js';
import { FollowedJob } from './followed-job.js';
import type { TrackerContext } from './tracker-context.js';
import type { Tracked } from './tracked.js';
import type { FrameSource } from '../../core/socket/frame-source.js';
import type { ReconcileContext } from './reconcile.js';
import { jobDetails } from './job-details.js';
import type { JobState } from '../../core/state/job-state.js';
import { concatMap, Observable, Subscription, tap } from 'rxjs';
import type { Platform } from '../../core/platform/platform.js';
import type { JobRest } from '../../core/http/rest.js';
import { type QueueWatchContext, watchQueue } from './queue-watch.js';
import { staleSocketDetector } from './stale-socket.js';

/** So many cancellations are remembered. */
const maxCancelled = 1_000;

/** Follows the jobs of one client. */
export interface JobTracker {
  /**
   * Follows one job to its end: the socket's frames and REST's answers enter one fold.
   *
   * On subscribe it emits the initial state (unless that is a guess: `awaitingFirstReport`), then each newer one. It emits the terminal
   * state once history has confirmed it, or could not, and completes. The next poll repeats a request that failed; it errors
   * only where no source can be asked any more. Unsubscribing stops watching and leaves the job alone.
   */
  readonly track: (tracked: Tracked) => Observable<JobState>;
  /**
   * Polls a job, now and once more soon, since the service has taken its cancellation; where it `found` the job, or the job is known to
   * wait, that is remembered, as a waiting one leaves no trace on a local server.
   */
  readonly cancelled: (promptId: string, asked?: 'found' | 'asked') => void;
  /** Polls every job now. */
  readonly reconcileAll: () => void;
}

/** The service and the socket that tell of jobs, and the bounds of the waits for them. */
export interface TrackerOptions
  extends Omit<ReconcileContext, 'details'>, Pick<QueueWatchContext, 'queuedJobs'> {
  readonly platform: Pick<Platform, 'clock' | 'random'>;
  readonly rest: Pick<JobRest, 'jobStatus' | 'history' | 'jobDetail' | 'jobsApi'>;
  /** Called once the end of a job is known. */
  readonly endIsKnown: (promptId: string) => void;
  /** How long the record of a job that ended may trail; default 2 minutes. */
  readonly recordWithinMs?: number | undefined;
  /** How many bytes of pictures the states of all jobs may hold; default 256 MiB. */
  readonly imageBytes?: number | undefined;
  readonly source: Pick<
    FrameSource,
    | 'states'
    | 'connected'
    | 'listen'
    | 'unlisten'
    | 'openedAt'
    | 'queueLengths'
    | 'messages'
    | 'framesOfJobs'
    | 'reconnect'
    | 'reopen'
  >;
}

/** Follows all jobs of a client by one subscription to the connection and one timer, which last while it follows any. */
export const jobTracker = (options: TrackerOptions): JobTracker => {
  const { platform, rest, source } = options;
  const jobs = listsByKey<FollowedJob>();
  const timers = timerQueue(platform.clock);
  const foundCancelled = latestIds(maxCancelled);
  const staleSocket = staleSocketDetector({ platform, timers, source });
  const deafSocket = deafSocketDetector({ platform, timers, source });
  let connection: Subscription | undefined;

  const onConnectionState = (state: ConnectionState): void => {
    for (const job of longestSilentFirst(jobs.all())) job.onConnectionState(state);
  };
  /** Opens the connection; false if it is open already. */
  const connect = (): boolean => {
    if (connection !== undefined) return false;
    const own = new Subscription();
    connection = own;
    staleSocket.start();
    const error = (cause: unknown): void => {
      // A job that is followed from now on gets a connection of its own.
      if (connection === own) connection = undefined;
      own.unsubscribe();
      for (const job of jobs.all()) job.fail(cause);
    };
    own.add(source.states.subscribe({ next: onConnectionState, error }));
    own.add(source.connected.subscribe({ error }));
    if (options.dialect.jobs.announcesQueue) own.add(watchQueue(options, jobs.all).subscribe());
    return true;
  };
  const context: TrackerContext<FollowedJob> = {
    ...options,
    recordWithinMs: options.recordWithinMs ?? 120_000,
    recordsAppearWhole: options.dialect.jobs.recordsAppearWhole,
    marksRecords: options.dialect.jobs.marksRecords,
    recordsHoldMessages: options.dialect.jobs.recordsHoldMessages,
    details: jobDetails(rest),
    images: imageBound(options.imageBytes, jobs.all),
    wasCancelled: foundCancelled.has,
    timers,
    jobIsThere: deafSocket.isThere,
    restWasAhead: staleSocket.restWasAhead,
    left: (job) => {
      jobs.remove(job.promptId, job);
      source.unlisten(job);
      if (jobs.size > 0) return;
      connection?.unsubscribe();
      connection = undefined;
      staleSocket.stop();
      deafSocket.stop();
    },
  };

  return {
    track: (tracked) => {
      const states = new Observable<JobState>((subscriber) => {
        if (tracked.awaitingFirstReport !== true) subscriber.next(tracked.initial);
        if (subscriber.closed) return undefined;
        const job = new FollowedJob(context, subscriber, tracked);
        jobs.add(job.promptId, job);
        source.listen(job);
        if (!connect()) job.onConnectionState(source.states.value);
        for (const frame of tracked.claim?.() ?? []) job.next(frame);
        if (openSocket(source.states.value) !== tracked.submittedOn) job.onSocketReplaced();
        if (tracked.mark !== undefined && options.dialect.jobs.announcesQueue)
          deafSocket.accepted(job, tracked.mark);
        return job;
      });
      const { onState, beforeState } = tracked;
      const passed = beforeState === undefined ? states : states.pipe(concatMap(beforeState));
      return onState === undefined ? passed : passed.pipe(tap(onState));
    },
    cancelled: (promptId, asked = 'asked') => {
      const followed = jobs.of(promptId);
      if (asked === 'found' || followed.some(({ isWaiting }) => isWaiting)) foundCancelled.add(promptId);
      for (const job of followed) job.cancelled();
    },
    reconcileAll: () => {
      for (const job of jobs.all()) job.poll();
    },
  };
};

const openSocket = (state: ConnectionState): string | undefined =>
  state._tag === 'open' ? state.clientId : undefined;

/** Where all jobs are polled, the one that was seen last waits longest. */
const longestSilentFirst = (jobs: readonly FollowedJob[]): readonly FollowedJob[] =>
  [...jobs].sort((one, other) => (one.seenAt < other.seenAt ? -1 : one.seenAt > other.seenAt ? 1 : 0));
