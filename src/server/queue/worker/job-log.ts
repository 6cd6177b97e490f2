import { catchError, EMPTY, from, Subject, takeUntil, throttle } from 'rxjs';
import { changesBetween } from '../../../core/events/changes-between.js';
import type { Clock } from '../../../core/platform/platform.js';
import type { EventLog } from '../../joblog/event-log.js';
import { exhaustMapWithTrailing } from '../../../core/interop/exhaust-map-with-trailing.js';
import type { HeldJob } from '../policy/submission-ports.js';
import { initialJobState } from '../../../core/state/initial-job-state.js';
import type { JobProgress, LifecycleEvent } from '../../../core/events/job-log-event.js';
import { isTerminal } from '../../../core/state/job-state.js';
import type { JobState } from '../../../core/state/job-state.js';
import { keepImages } from '../../joblog/job-images.js';
import { joinStates } from '../../../core/state/join-states.js';
import type { KeptEvents, QueueStore } from '../store/redis-queue-store.js';
import type { QueueJobState } from '../follow/queue-state.js';
import { readJobLog } from '../follow/read-job-log.js';
import { timerOn } from '../../../core/platform/timer.js';

/** The log of a job as the worker that holds it writes it. */
export interface JobLog {
  /** What the log says of the job by now. */
  readonly state: () => JobState;
  /** Writes what is new in a state, and resolves once it is durable; false if another worker holds the job. */
  readonly move: (next: JobState) => Promise<boolean>;
  /** Publishes no further progress, also none that waits. */
  readonly close: () => void;
}

/** Options of {@link openJobLog}. */
export interface JobLogOptions {
  /** Over servers, where the job is: each state of the log tells it. */
  readonly place?: Pick<QueueJobState, 'server' | 'attempt'> | undefined;
  readonly job: Pick<HeldJob, 'id' | 'fence'>;
  readonly tenant: string;
  readonly log: Pick<EventLog, 'read'>;
  readonly store: Pick<QueueStore, 'append' | 'progress' | 'images'>;
  readonly clock: Pick<Clock, 'after' | 'wall'>;
}

/** The warning of a job whose log has no room for all of its outputs. */
const isIncomplete =
  'The log of this job has no room for all that it said, within maxLogBytes of its worker: outputs are left out, which its record at the service has.';

/** The latest progress is published at most this often, in milliseconds. */
const progressEveryMs = 250;

/** Opens the log of a job that this worker holds; `close` ends it. */
export const openJobLog = async (options: JobLogOptions): Promise<JobLog> => {
  const { job, tenant, log, store, clock, place } = options;
  let logged = (await readJobLog(log, tenant, job.id)) ?? initialJobState({ workflow: {} });
  // A person has decided on a job that was unknown: it begins anew.
  let state = logged.phase === 'unknown' ? initialJobState({ workflow: {} }) : logged;
  const progress = publishedProgress(options);
  const images = store.images(job);
  const append = async (events: readonly LifecycleEvent[], final: boolean): Promise<KeptEvents> =>
    events.length === 0 ? 'all' : store.append(job, tenant, events, final);
  return {
    state: () => state,
    move: async (next) => {
      const all = joinStates(state, await keepImages(images, job.id, next, state));
      let joined: QueueJobState = place === undefined ? all : { ...all, ...place };
      // Outputs go first, so that the status after them can say what was left out.
      const outputs = changesBetween(logged, joined, clock.wall()).filter((one) => one.type === 'output');
      const kept = await append(outputs, false);
      if (kept === 'none') return false;
      if (kept === 'some') joined = { ...joined, warnings: [...new Set([...joined.warnings, isIncomplete])] };
      const rest = changesBetween({ ...logged, outputs: joined.outputs }, joined, clock.wall());
      state = logged = joined;
      const status = rest.filter((one) => one.type === 'status');
      const isLast = isTerminal(joined.phase);
      if ((await append(status, isLast)) === 'none') return false;
      for (const one of rest) if (one.type === 'progress') progress.next(one.progress);
      // The status has the last progress.
      if (isLast) progress.close();
      return true;
    },
    close: progress.close,
  };
};

/** Publishes the newest progress, and the last one of each window once the window is over; a failure of the store loses one. */
const publishedProgress = ({ job, store, clock }: Pick<JobLogOptions, 'job' | 'store' | 'clock'>) => {
  const progress = new Subject<JobProgress>();
  const closed = new Subject<void>();
  const published = progress.pipe(
    throttle(() => timerOn(clock, progressEveryMs), { leading: true, trailing: true }),
    exhaustMapWithTrailing((latest) => from(store.progress(job, latest)).pipe(catchError(() => EMPTY))),
    takeUntil(closed),
  );
  published.subscribe();
  return { next: (latest: JobProgress) => progress.next(latest), close: () => closed.next() };
};
