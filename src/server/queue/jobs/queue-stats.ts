import type { StoreStats } from '../store/redis-queue-store.js';

/** How full a queue is. */
export interface QueueStats {
  /** Jobs that wait for a slot. */
  readonly waiting: number;
  /** Jobs that wait for their time. */
  readonly delayed: number;
  /** Jobs that workers hold: slots in use. */
  readonly held: number;
  /** Jobs that wait for a person. */
  readonly unknown: number;
  /** Jobs that are over and still listed. */
  readonly ended: number;
  /** Slots in all: how many jobs the account, or the servers of living workers, run at once. */
  readonly slots: number;
  /** Slots that jobs of other programs use, where a worker counts them (`countExternalJobs`); else 0. */
  readonly external: number;
  /**
   * The former name of `external`.
   *
   * @deprecated for one minor version
   */
  readonly foreign: number;
  /** Records that could not be read: they are kept aside, their jobs have failed, and the rest goes on. */
  readonly damaged: number;
  /** Whether the queue takes no more jobs. */
  readonly draining: boolean;
  /** Why no job begins; absent if the queue is not paused. */
  readonly paused?: string | undefined;
  /**
   * Why the server takes no writes now, in its own words, such as `OOM …` at its `maxmemory`: nothing is added, and no job begins; absent
   * where it does.
   */
  readonly refused?: string | undefined;
}

/** The statistics of a store, with the former names of their members. */
// eslint-disable-next-line @typescript-eslint/no-deprecated -- public for one more minor version
export const queueStats = (stats: StoreStats): QueueStats => ({ ...stats, foreign: stats.external });
