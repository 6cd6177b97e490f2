import { defer, from, mergeMap, type Observable } from 'rxjs';
import type { OpenQueue } from './open-queue.js';
import type { QueueLog } from '../../joblog/queue-log.js';
import { readProgress } from '../store/read-record.js';

/** Makes the log of a queue that opens with the first use of it. */
export const suppliedLog = (open: () => Promise<OpenQueue>): QueueLog => {
  const opened = <A>(use: (queue: OpenQueue) => Observable<A>): Observable<A> =>
    defer(() => from(open())).pipe(mergeMap(use));
  return {
    append: async (...args) => (await open()).log.append(...args),
    read: async (...args) => (await open()).log.read(...args),
    position: async (owner) => (await open()).log.position(owner),
    expire: async (...args) => (await open()).log.expire(...args),
    changes: opened(({ log }) => log.changes),
    progress: opened(({ notifications }) => notifications.progress).pipe(
      mergeMap(({ id, text }) => {
        const progress = readProgress(text);
        return progress === undefined ? [] : [{ jobId: id, progress }];
      }),
    ),
    latestProgress: async (jobId) => (await open()).queueStore.latestProgress(jobId),
    hasJob: async (jobId) => (await (await open()).store.get(jobId)) !== undefined,
  };
};
