import { applyQueueEvent, type QueueJobState } from './queue-state.js';
import type { Clock } from '../../../core/platform/platform.js';
import type { EventLog } from '../../joblog/event-log.js';
import { concatMap, defer, filter, map, merge, type Observable, startWith, takeWhile } from 'rxjs';
import { exhaustMapWithTrailing } from '../../../core/interop/exhaust-map-with-trailing.js';
import { intervalOn } from '../../../core/platform/timer.js';
import { isTerminal } from '../../../core/state/job-state.js';
import type { JobLogEvent } from '../../../core/events/job-log-event.js';
import type { JobStore, QueueRecord } from '../store/job-store.js';
import { logReader, type QueueEvent, type ReadEvent } from './log-reader.js';
import type { QueueNotifications } from './notifications.js';
import type { QueueKind } from '../store/queue-kind.js';
import type { QueueStore } from '../store/redis-queue-store.js';
import { readProgress } from '../store/read-record.js';
import { serviceError } from '../../../core/errors/service-error.js';

/** The parts of a queue that tell what becomes of a job. */
export interface LogSource {
  /** What the jobs of the queue run on. */
  readonly kind: QueueKind;
  readonly store: Pick<JobStore, 'get'>;
  readonly queueStore: Pick<QueueStore, 'latestProgress'>;
  readonly log: Pick<EventLog, 'read'>;
  readonly notifications: QueueNotifications;
  readonly clock: Pick<Clock, 'after'>;
}

/** Notifications may be lost, so the log is read this often in any case, in milliseconds. */
const readEveryMs = 10_000;

/**
 * The events of a job from its log, from the first one, or after one: those that are there, then each new one. Completes after the end
 * of the job; errors with `NotFound` for a job that the queue does not know, or an id that no event of the job has.
 */
export const eventsOf = (source: LogSource, id: string, after?: string): Observable<QueueEvent> =>
  readEvents(source, id, after).pipe(
    filter(({ isNew }) => isNew),
    map(({ id: eventId, event, state }) => ({ id: eventId, event, state })),
  );

/** The states of a job, with its progress, from the first one, or after an event; after the last event it is the last state. */
export const statesOf = (source: LogSource, id: string, after?: string): Observable<QueueJobState> =>
  defer(() => {
    const states = new FoldedStates(source.kind);
    const progress = source.notifications.progress.pipe(
      filter((message) => message.id === id && states.isRunning()),
      map(({ text }) => readProgress(text)),
      filter((latest) => latest !== undefined),
      map((latest) => ({ state: states.apply(progressEvent(latest)), isLast: false })),
    );
    const logged = readEvents(source, id, after).pipe(
      concatMap(async ({ event, state, isLast }) => {
        const isFirst = states.begin(state);
        const next = states.apply(event);
        // The log has no progress: a late follower gets the latest one with its first state.
        const latest = isFirst && !isLast ? await source.queueStore.latestProgress(id) : undefined;
        return { state: latest === undefined ? next : states.apply(progressEvent(latest)), isLast };
      }),
    );
    return merge(logged, progress).pipe(
      takeWhile(({ isLast }) => !isLast, true),
      map(({ state }) => state),
    );
  });

const readEvents = (source: LogSource, id: string, after: string | undefined): Observable<ReadEvent> =>
  defer(() => recordOf(source, id)).pipe(
    concatMap(({ tenant, phase, outcome = 'failed', endedAt = 0 }) => {
      const ended = phase === 'ended' ? { phase: outcome, at: endedAt } : undefined;
      const read = logReader(source, { tenant, id }, after, ended);
      const { appended, missed } = source.notifications;
      const own = appended.pipe(filter((jobId) => jobId === id));
      return merge(own, missed, intervalOn(source.clock, readEveryMs)).pipe(
        startWith(undefined),
        exhaustMapWithTrailing(read),
      );
    }),
    takeWhile(({ isLast }) => !isLast, true),
  );

const recordOf = async ({ store }: Pick<LogSource, 'store'>, id: string): Promise<QueueRecord> => {
  const record = await store.get(id);
  if (record === undefined) {
    throw serviceError('NotFound', { message: `The queue has no job ${id}.` });
  }
  return record;
};

type Progress = Extract<JobLogEvent, { readonly type: 'progress' }>;

const progressEvent = (progress: Progress['progress']): Progress => ({ type: 'progress', at: 0, progress });

/** The state that the events and the progress of a job lead to, as a follower has it. */
class FoldedStates {
  private state: QueueJobState | undefined;
  private readonly applied: ReturnType<typeof applyQueueEvent>;

  constructor(kind: QueueKind) {
    this.applied = applyQueueEvent(kind);
  }

  /** Begins with what the log says by its first event; false if it has begun. */
  begin(first: QueueJobState): boolean {
    const isFirst = this.state === undefined;
    this.state ??= first;
    return isFirst;
  }

  isRunning(): boolean {
    return this.state !== undefined && !isTerminal(this.state.phase);
  }

  apply(event: JobLogEvent): QueueJobState {
    this.state = this.applied(this.state, event);
    return this.state;
  }
}
