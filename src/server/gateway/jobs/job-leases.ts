import type { Clock } from '../../../core/platform/platform.js';
import type { JobIndex, JobRecord, Lease } from '../../joblog/job-index.js';
import { concatMap, repeat, type Subscription } from 'rxjs';
import { timerOn } from '../../../core/platform/timer.js';

/** The jobs that this process follows, where others may follow jobs of the same index. */
export interface JobLeases {
  /** The lease of a new job. */
  readonly lease: Lease;
  /** The process holds a new job. */
  readonly add: (id: string) => void;
  /** The process no longer follows the job. */
  readonly delete: (id: string) => void;
  /** Asks the index whether the process still holds a job, and extends its lease. */
  readonly isHeld: (id: string) => Promise<boolean>;
  /** Leases the jobs that no process has, and gives them; gives nothing where one process has the index alone. */
  readonly acquire: () => Promise<readonly JobRecord[]>;
  /** Renews the leases from now on, and takes the jobs that other processes leave. */
  readonly renewing: (on: RenewHandlers) => Subscription;
  /** Leaves all jobs to other processes. */
  readonly releaseAll: () => Promise<void>;
}

/** What becomes of jobs when leases are renewed. */
export interface RenewHandlers {
  /** Whether the job has ended: its lease says nothing any more. */
  readonly isOver: (id: string) => boolean;
  /** Another process has the job. */
  readonly lost: (id: string) => void;
  /** The jobs are this process's from now on. */
  readonly found: (records: readonly JobRecord[]) => Promise<void>;
}

/** How long the jobs of a process that was killed wait for another one. */
const leaseMs = 30_000;
const renewEveryMs = 10_000;

/** Makes the {@link JobLeases} of a process with a name of its own. */
export const jobLeases = ({ leases }: JobIndex, process: string, clock: Clock): JobLeases => {
  const lease: Lease = { process, forMs: leaseMs };
  const held = new Set<string>();

  const acquire: JobLeases['acquire'] = async () => {
    const records = (await leases?.acquire(lease)) ?? [];
    for (const { id } of records) held.add(id);
    return records;
  };
  const renew = async ({ isOver, lost, found }: RenewHandlers): Promise<void> => {
    for (const id of held) if (isOver(id)) held.delete(id);
    for (const id of (await leases?.renew([...held], lease)) ?? []) {
      if (held.delete(id)) lost(id);
    }
    await found(await acquire());
  };

  return {
    lease,
    add: (id) => void held.add(id),
    delete: (id) => void held.delete(id),
    isHeld: async (id) => {
      if (leases === undefined) return true;
      const gone = await leases.renew([id], lease);
      if (gone.includes(id)) held.delete(id);
      return held.has(id);
    },
    acquire,
    renewing: (on) =>
      timerOn(clock, renewEveryMs, { background: true })
        .pipe(
          // An index that does not answer is asked again.
          concatMap(() => renew(on).catch(() => undefined)),
          repeat(),
        )
        .subscribe({ error: () => undefined }),
    releaseAll: async () => {
      await leases?.renew([...held], { process, forMs: 0 });
    },
  };
};
