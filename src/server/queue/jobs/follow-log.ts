import { applyJobEvent } from '../../../core/events/apply-job-event.js';
import type { EventLog } from '../../gateway/ports/event-log.js';
import { concatMap, defer, filter, from, interval, map, merge, Observable, startWith, takeWhile } from 'rxjs';
import { initialJobState } from '../../../core/state/initial-job-state.js';
import type { JobEvent, LifecycleEvent } from '../../../core/events/job-event.js';
import type { JobState } from '../../../core/state/job-state.js';
import { isTerminal } from '../../../core/state/job-state.js';
import type { JobStore, QueueRecord } from '../store/job-store.js';
import type { QueueNews } from './news.js';
import { type QueueStore, readProgress } from '../store/redis-queue-store.js';
import { serviceError } from '../../../core/errors/service-error.js';

/** A job's event with its id, after which a follower may go on. */
export interface QueueEvent {
  /** The id of the event. */
  readonly id: string;
  /** What happened. */
  readonly event: LifecycleEvent;
  /** The state of the job by then. */
  readonly state: JobState;
}

/** What following needs. */
export interface LogSource {
  readonly store: Pick<JobStore, 'get'>;
  readonly whole: Pick<QueueStore, 'latestProgress'>;
  readonly log: Pick<EventLog, 'read'>;
  readonly news: QueueNews;
}

const pageSize = 500;
/** News may be lost, so the log is read from time to time in any case, in milliseconds. */
const lookEveryMs = 10_000;

/**
 * The events of a job from its log, from the first one, or after one: those that are there, then each new one. Completes after the end
 * of the job; errors with `NotFound` for a job that the queue does not know, or an id that is none of the job's.
 */
export const eventsOf = (source: LogSource, id: string, after?: string): Observable<QueueEvent> =>
  loggedEvents(source, id, after).pipe(
    filter(({ isNew }) => isNew),
    map(({ id: eventId, event, state }) => ({ id: eventId, event, state })),
  );

/** An event of the log. */
interface Logged extends QueueEvent {
  /** Whether the follower does not have it yet. */
  readonly isNew: boolean;
  /** Whether it ends the job: no event follows it. */
  readonly isLast: boolean;
}

const loggedEvents = (source: LogSource, id: string, after: string | undefined): Observable<Logged> =>
  defer(() => recordOf(source, id)).pipe(
    concatMap(({ tenant }) => {
      let position: string | undefined;
      let state = initialJobState({ workflow: {} });
      let isPast = after === undefined;
      /** Every event since the last call. */
      const read = async function* (): AsyncGenerator<Logged> {
        for (;;) {
          const { events } = await source.log.read({ owner: tenant, jobId: id }, position, pageSize);
          for (const [index, { id: eventId, event }] of events.entries()) {
            position = eventId;
            state = applyJobEvent(state, event);
            const isNewest = index === events.length - 1 && events.length < pageSize;
            const isLast = isNewest && isTerminal(state.phase);
            const isAfter = eventId === after;
            // A follower that has the last event already is done.
            if (isPast || (isAfter && isLast)) yield { id: eventId, event, state, isNew: isPast, isLast };
            isPast ||= isAfter;
          }
          if (events.length < pageSize) break;
        }
        if (!isPast) throw notFound(`The log of the job ${id} has no event ${String(after)}.`);
      };
      const { appended, missed } = source.news;
      const hints = merge(appended.pipe(filter((jobId) => jobId === id)), missed, interval(lookEveryMs));
      return hints.pipe(
        startWith(undefined),
        concatLatest(() => from(read())),
      );
    }),
    takeWhile(({ isLast }) => !isLast, true),
  );

/** The states of a job, with its progress, from the first one, or after an event; after the last event it is the last state. */
export const statesOf = (source: LogSource, id: string, after?: string): Observable<JobState> =>
  defer(() => {
    let state: JobState | undefined;
    const progress = source.news.progress.pipe(
      filter((message) => message.id === id && state !== undefined && !isTerminal(state.phase)),
      map(({ text }) => ({
        state: moved({ type: 'progress', at: 0, progress: readProgress(text) }),
        isLast: false,
      })),
    );
    const moved = (event: JobEvent): JobState =>
      (state = applyJobEvent(state ?? initialJobState({ workflow: {} }), event));
    const logged = loggedEvents(source, id, after).pipe(
      concatMap(async ({ event, state: known, isLast }) => {
        const isFirst = state === undefined;
        state ??= known;
        moved(event);
        // The log has no progress: a late follower gets the latest one with its first state.
        const latest = isFirst && !isLast ? await source.whole.latestProgress(id) : undefined;
        return { state: latest ? moved({ type: 'progress', at: 0, progress: latest }) : state, isLast };
      }),
    );
    return merge(logged, progress).pipe(
      takeWhile(({ isLast }) => !isLast, true),
      map((one) => one.state),
    );
  });

const recordOf = async ({ store }: Pick<LogSource, 'store'>, id: string): Promise<QueueRecord> => {
  const record = await store.get(id);
  if (record === undefined) throw notFound(`The queue has no job ${id}.`);
  return record;
};

const notFound = (message: string) => serviceError('NotFound', { message });

/** As `concatMap`, but of the values that come meanwhile one is enough. */
const concatLatest =
  <A, B>(project: (value: A) => Observable<B>) =>
  (source: Observable<A>): Observable<B> =>
    new Observable((subscriber) => {
      let waiting: { readonly value: A } | undefined;
      let isRunning = false;
      const run = (value: A): void => {
        isRunning = true;
        subscriber.add(
          project(value).subscribe({
            next: (inner) => subscriber.next(inner),
            error: (error: unknown) => subscriber.error(error),
            complete: () => {
              isRunning = false;
              const next = waiting;
              waiting = undefined;
              if (next !== undefined) run(next.value);
            },
          }),
        );
      };
      subscriber.add(
        source.subscribe({
          next: (value) => {
            if (isRunning) waiting = { value };
            else run(value);
          },
          error: (error: unknown) => subscriber.error(error),
        }),
      );
    });
