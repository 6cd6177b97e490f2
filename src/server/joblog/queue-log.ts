import type { EventLog } from './event-log.js';
import type { JobProgress } from '../../core/events/job-log-event.js';
import type { JobRecord } from './job-index.js';
import type { Observable } from 'rxjs';

/** The progress of a job, which no log has. */
export interface QueueProgress {
  /** The queue's id of the job. */
  readonly jobId: string;
  /** All of its progress by now. */
  readonly progress: JobProgress;
}

/**
 * The log of a queue, one for each tenant, as a gateway over the queue reads it: the owners of the log are the queue's tenants.
 *
 * The queue and its workers write it. `append` is for what a gateway decides about a job that the queue does not have, and `expire` takes the events of a job from those of its owner:
 * the queue keeps the job's own as long as the job.
 */
export interface QueueLog extends EventLog {
  /** Emits a tenant whose log others have appended to, such as a worker; never completes, never errors. A message may be lost. */
  readonly changes: Observable<string>;
  /** Emits the latest progress of running jobs. Hot: what was published before is not repeated; never errors. */
  readonly progress: Observable<QueueProgress>;
  /** The latest progress of a job; undefined if it has published none. */
  readonly latestProgress: (jobId: string) => Promise<JobProgress | undefined>;
  /** Whether the queue still has a job: the log of one that was lost has no end. Default it has every job that has a log. */
  readonly hasJob?: (jobId: string) => Promise<boolean>;
}

/** Whether the job of a gateway's record has the queue's id of it, by which the queue's log has its events. */
export const isOfQueue = ({ id, submissionId }: Pick<JobRecord, 'id' | 'submissionId'>): boolean =>
  id === submissionId;
