import {
  catchError,
  connect,
  defer,
  distinctUntilChanged,
  EMPTY,
  filter,
  from,
  map,
  merge,
  type Observable,
  of,
  tap,
  throttle,
} from 'rxjs';
import type { Clock } from '../../../core/platform/platform.js';
import { exhaustMapWithTrailing } from '../../../core/interop/exhaust-map-with-trailing.js';
import { intervalOn, timerOn } from '../../../core/platform/timer.js';
import type { JobStore, QueueRecord } from '../store/job-store.js';
import type { QueueChange } from './queue-job.js';
import { queueStats, type QueueStats } from './queue-stats.js';
import type { QueueNotifications } from '../follow/notifications.js';
import type { QueueStore } from '../store/redis-queue-store.js';
import { shownJob } from './shown-job.js';
import { writeExactJson } from '../../../core/protocol/json/exact-json.js';

/** The parts of a queue that tell what becomes of all of its jobs. */
export interface ChangeSource {
  readonly store: Pick<JobStore, 'get'>;
  readonly queueStore: Pick<QueueStore, 'page' | 'stats'>;
  readonly notifications: Pick<QueueNotifications, 'changed' | 'progress' | 'missed'>;
  readonly clock: Pick<Clock, 'after'>;
}

/** How often failed reads are repeated, and the numbers of the queue are read in any case, in milliseconds. */
const readEveryMs = 10_000;
/** The numbers of a queue that changes are read at most this often, in milliseconds. */
const statsEveryMs = 1_000;
const pageSize = 200;

/**
 * Every job that the queue has, then each one anew when it changes, and how full the queue is: after the jobs that it had, then at most
 * once a second. Never completes, never errors: what can't be read now is read later.
 *
 * News of a job are hints, and its record is what counts: while records are read, further hints wait, each job once.
 */
export const changesOf = ({
  store,
  queueStore,
  notifications,
  clock,
}: ChangeSource): Observable<QueueChange> =>
  defer(() => {
    /** The jobs as they were told last, as JSON. */
    const told = new Map<string, string>();
    const hinted = new Set<string>();
    let isListed = false;
    let isShort = false;

    const change = function* (record: QueueRecord): Generator<QueueChange> {
      const job = shownJob(record);
      const text = writeExactJson(job);
      if (told.get(job.id) !== text) yield { type: 'job', job };
      told.set(job.id, text);
    };
    const forget = function* (id: string): Generator<QueueChange> {
      if (told.delete(id)) yield { type: 'forgotten', id };
    };
    const list = async function* (): AsyncGenerator<QueueChange> {
      const missing = new Set(told.keys());
      let before: string | undefined;
      do {
        const page = await queueStore.page(pageSize, before);
        for (const record of page.records) {
          missing.delete(record.id);
          yield* change(record);
        }
        before = page.next;
      } while (before !== undefined);
      for (const id of missing) yield* forget(id);
    };
    /** Reads what the hints are about, and says `read` once its values are out. */
    const read = async function* (): AsyncGenerator<QueueChange | 'read'> {
      if (!isListed) {
        isListed = true;
        yield* list();
      }
      const ids = [...hinted];
      hinted.clear();
      const records = await Promise.all(ids.map((id) => store.get(id)));
      for (const [index, id] of ids.entries()) {
        const record = records[index];
        yield* record === undefined ? forget(id) : change(record);
      }
      yield 'read';
    };
    const listAgain = (): void => void (isListed = false);
    const hints = merge(
      notifications.changed.pipe(tap((id) => hinted.add(id))),
      notifications.progress.pipe(tap(({ id }) => hinted.add(id))),
      notifications.missed.pipe(tap(listAgain)),
      // A server that was emptied sends no notifications.
      intervalOn(clock, readEveryMs).pipe(tap(() => isShort && listAgain())),
      of(undefined),
    );
    const readLater = (): Observable<never> => {
      listAgain();
      return EMPTY;
    };
    const stats = defer(() => queueStore.stats()).pipe(
      map(queueStats),
      tap((now) => (isShort = jobsOf(now) < told.size)),
      catchError(() => EMPTY),
    );
    const reads = hints.pipe(exhaustMapWithTrailing(() => from(read()).pipe(catchError(readLater))));
    return reads.pipe(
      connect((all) =>
        merge(
          all.pipe(filter((one): one is QueueChange => one !== 'read')),
          all.pipe(
            filter((one) => one === 'read'),
            throttle(() => timerOn(clock, statsEveryMs), { leading: true, trailing: true }),
            exhaustMapWithTrailing(() => stats),
            distinctUntilChanged((a, b) => JSON.stringify(a) === JSON.stringify(b)),
            map((now): QueueChange => ({ type: 'stats', stats: now })),
          ),
        ),
      ),
    );
  });

const jobsOf = ({ waiting, delayed, held, unknown, ended }: QueueStats): number =>
  waiting + delayed + held + unknown + ended;
