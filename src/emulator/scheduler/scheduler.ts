import { executeJob, type ExecutionEnvironment } from './execute-job.js';
import type { EmulatorClock } from '../clock.js';
import { event, executingEnd, statusEvent } from '../messages.js';
import type { Ids } from '../ids.js';
import { isWaiting, type Job, newJob, type Submission } from './job.js';
import type { Settings } from '../settings.js';

/** The jobs of one account: first in, first out, at most the tier's number at once. */
export interface Scheduler {
  readonly submit: (submission: Submission) => Job;
  readonly job: (promptId: string) => Job | undefined;
  /** Every job, the oldest first. */
  readonly jobs: () => readonly Job[];
  /** Jobs that run, the oldest first. */
  readonly running: () => readonly Job[];
  /** Jobs that have not started, the next one first. */
  readonly waiting: () => readonly Job[];
  /** The number of jobs without a slot. */
  readonly queued: () => number;
  /** Cancels a job that waits or runs; false if there is no such job. */
  readonly cancel: (promptId: string) => boolean;
  /** Forgets a job that has ended; false for one that has not, true also for one that is forgotten already. */
  readonly forget: (promptId: string) => boolean;
  /** Whether there was such a job, which is forgotten. */
  readonly hasForgotten: (promptId: string) => boolean;
  /** The ids of the jobs that are forgotten. */
  readonly forgotten: () => readonly string[];
  /** Takes up jobs of another scheduler, the oldest first, before it has any: those that have not ended are queued in this order. */
  readonly restore: (restored: RestoredJobs) => void;
  /** Ends all jobs without further messages. */
  readonly stop: () => void;
}

/** What {@link Scheduler.restore} takes. */
export interface RestoredJobs {
  readonly jobs: readonly Job[];
  /** The ids of those that have not ended, the next one first. */
  readonly queue: readonly string[];
  readonly forgotten: readonly string[];
}

/** The dependencies of a scheduler. */
export interface SchedulerEnvironment extends Pick<
  ExecutionEnvironment,
  'nodeClasses' | 'cache' | 'files' | 'pace' | 'send' | 'billing' | 'losesWorker'
> {
  /** Called with every job before its first message. */
  readonly onAccepted: (job: Job) => void;
  /** Called with every job that had ended before it was taken up. */
  readonly onRestored: (job: Job) => void;
  /** Called after every change of a job's status. */
  readonly onStatus: (job: Job) => void;
  readonly settings: Settings;
  readonly clock: EmulatorClock;
  readonly ids: Ids;
}

/** A scheduler without jobs. */
export const createScheduler = (given: SchedulerEnvironment): Scheduler => {
  const { settings, clock, ids } = given;
  const jobs = new Map<string, Job>();
  const queue = new Set<Job>();
  const active = new Set<Job>();
  const forgotten = new Set<string>();
  let stopped = false;

  const environment: ExecutionEnvironment = {
    ...given,
    switches: settings.switches,
    ffmpeg: settings.ffmpeg,
    has: settings.has,
    now: clock.now,
    send: (message) => {
      if (!stopped) given.send(message);
    },
    record: (job, type, data) => {
      const stamped = { ...data, timestamp: clock.now() };
      job.messages.push([type, stamped]);
      environment.send(event(type, stamped));
    },
    setStatus: (job, status) => {
      job.status = status;
      job.updatedAt = clock.now();
      if (!stopped) given.onStatus(job);
    },
    broadcastQueueLength: () => environment.send(statusEvent(queue.size + active.size, settings.switches)),
    release: (job) => {
      active.delete(job);
      environment.broadcastQueueLength();
      const end = executingEnd(job.id, settings.switches);
      if (end && job.messages.length > 0 && job.status !== 'lost') environment.send(end);
      dispatch();
    },
  };

  const submit = (submission: Submission): Job => {
    const job = newJob(submission, { id: ids.uuid(), number: jobs.size + forgotten.size + 1 }, clock.now());
    jobs.set(job.id, job);
    given.onAccepted(job);
    const behind = submission.front === true ? [...queue] : [];
    for (const waiting of behind) queue.delete(waiting);
    for (const waiting of [job, ...behind]) queue.add(waiting);
    environment.broadcastQueueLength();
    environment.send(event('notification', { value: 'Your workflow waits for its turn.', id: job.id }));
    dispatch();
    if (queue.has(job)) environment.setStatus(job, 'queued_limited');
    return job;
  };

  const dispatch = (): void => {
    for (const job of queue) {
      if (stopped || active.size >= settings.concurrency) return;
      queue.delete(job);
      active.add(job);
      void executeJob(job, environment);
    }
  };

  const cancel = (promptId: string): boolean => {
    const job = jobs.get(promptId);
    if (!job || job.endedAt !== undefined) return false;
    job.abort.abort();
    environment.setStatus(job, isWaiting(job) ? 'cancel_pending' : 'cancel_requested');
    if (queue.delete(job)) {
      environment.setStatus(job, 'cancelled');
      job.endedAt = clock.now();
      environment.broadcastQueueLength();
    }
    return true;
  };

  const forget = (promptId: string): boolean => {
    if (jobs.get(promptId)?.endedAt === undefined) return forgotten.has(promptId);
    jobs.delete(promptId);
    forgotten.add(promptId);
    return true;
  };

  const restore = (restored: RestoredJobs): void => {
    takeUp(given, { jobs, queue, forgotten }, restored);
    dispatch();
    for (const job of queue) environment.setStatus(job, 'queued_limited');
  };

  const stop = (): void => {
    stopped = true;
    for (const job of [...queue, ...active]) job.abort.abort();
    queue.clear();
  };

  return {
    submit,
    cancel,
    forget,
    hasForgotten: (promptId) => forgotten.has(promptId),
    forgotten: () => [...forgotten],
    restore,
    stop,
    job: (promptId) => jobs.get(promptId),
    jobs: () => [...jobs.values()],
    queued: () => queue.size,
    running: () => [...active].filter((job) => !isWaiting(job)),
    waiting: () => [...[...active].filter(isWaiting), ...queue],
  };
};

const takeUp = (
  { onAccepted, onRestored }: Pick<SchedulerEnvironment, 'onAccepted' | 'onRestored'>,
  into: { readonly jobs: Map<string, Job>; readonly queue: Set<Job>; readonly forgotten: Set<string> },
  { jobs, queue, forgotten }: RestoredJobs,
): void => {
  for (const id of forgotten) into.forgotten.add(id);
  for (const job of jobs) {
    into.jobs.set(job.id, job);
    if (job.endedAt === undefined) onAccepted(job);
    else onRestored(job);
  }
  for (const id of queue) {
    const job = into.jobs.get(id);
    if (job !== undefined && job.endedAt === undefined) into.queue.add(job);
  }
};
