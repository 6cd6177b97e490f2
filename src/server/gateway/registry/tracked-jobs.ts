import type { JobEntry } from './job-entry.js';
import type { JobState } from '../../../core/state/job-state.js';
import { type Observable, Subject } from 'rxjs';

/** A job with something new: its state, its progress, a preview, or that it is forgotten. */
export interface JobChange {
  readonly owner: string;
  readonly jobId: string;
}

/** A write that waits for the log. */
export interface PendingWrite {
  /** The state to publish with it: that of its events and, of what came later, progress. Undefined if its events change none. */
  state: JobState | undefined;
}

/** What the registry has of a job besides its entry. */
export interface TrackedJob {
  readonly entry: JobEntry;
  /** The newest state, whose events may be on their way into the log. */
  readonly latest: JobState;
  /** Whether this process follows the job. */
  readonly isOwn: boolean;
  /** The last write that waits for the log. */
  readonly write?: PendingWrite | undefined;
}

/** The jobs of a registry, by their ids. */
export interface TrackedJobs {
  readonly get: (id: string) => TrackedJob | undefined;
  /** The oldest first. */
  readonly entries: () => readonly JobEntry[];
  /** Adds a job or replaces it; `changes` emits only with `announce`. */
  readonly set: (job: TrackedJob) => void;
  /** Changes the entry of a job, if it is registered. */
  readonly update: (id: string, change: (entry: JobEntry) => JobEntry) => void;
  readonly delete: (id: string) => void;
  /** Makes `changes` emit. */
  readonly announce: (change: JobChange) => void;
  /** Emits with everything new about a job. */
  readonly changes: Observable<JobChange>;
}

/** Makes {@link TrackedJobs} without a job. */
export const trackedJobs = (): TrackedJobs => {
  const jobs = new Map<string, TrackedJob>();
  const changes = new Subject<JobChange>();
  return {
    get: (id) => jobs.get(id),
    entries: () => [...jobs.values()].map(({ entry }) => entry),
    set: (job) => void jobs.set(job.entry.record.id, job),
    update: (id, change) => {
      const job = jobs.get(id);
      if (job !== undefined) jobs.set(id, { ...job, entry: change(job.entry) });
    },
    delete: (id) => void jobs.delete(id),
    announce: (change) => changes.next(change),
    changes: changes.asObservable(),
  };
};
