import type { Clock } from '../../../core/platform/platform.js';
import { entryOf, newEntry } from './job-entry.js';
import type { EventLog } from '../../joblog/event-log.js';
import { initialJobState } from '../../../core/state/initial-job-state.js';
import { isOfQueue } from '../../joblog/queue-log.js';
import type { JobIndex, JobRecord } from '../../joblog/job-index.js';
import type { OwnerLogWriter } from './owner-log-writer.js';
import type { SharedRegistry } from './others-events.js';
import type { TrackedJobs } from './tracked-jobs.js';
import { withFollowedEvent, withOthersEvent } from './job-projection.js';

/** What the parts of one registry share. */
export interface RegistryContext {
  readonly clock: Clock;
  readonly index: JobIndex;
  readonly log: EventLog;
  readonly retentionMs: number;
  readonly jobs: TrackedJobs;
  readonly positions: Map<string, string>;
  /** Records that this process has just added, by their ids: events of their jobs may come before it registers them. */
  readonly added: ReadonlyMap<string, JobRecord>;
  readonly writer: OwnerLogWriter;
}

/** Takes jobs and events of other processes. */
export const sharedRegistry = ({
  index,
  retentionMs,
  jobs,
  positions,
  added,
}: RegistryContext): SharedRegistry => ({
  position: (owner) => positions.get(owner),
  reached: (owner, position) => void positions.set(owner, position),
  put: (record, events) => {
    const known = jobs.get(record.id);
    if (known?.isOwn === true) return;
    const entry = entryOf(record, events);
    jobs.set({ entry, latest: entry.state, isOwn: false, write: known?.write });
    jobs.announce({ owner: record.owner, jobId: record.id });
  },
  take: async (owner, logged) => {
    const { id, jobId } = logged;
    const record = jobs.get(jobId) === undefined ? (added.get(jobId) ?? (await index.get(jobId))) : undefined;
    if (record !== undefined) {
      const entry = newEntry(record, initialJobState(record));
      jobs.set({ entry, latest: entry.state, isOwn: false });
    }
    const job = jobs.get(jobId);
    positions.set(owner, id);
    if (job === undefined) return;
    // Without a new progress: the log has none.
    const entry = job.isOwn
      ? withOthersEvent(job.entry, logged)
      : withFollowedEvent(job.entry, logged, retentionMs);
    jobs.set({ ...job, entry, latest: job.isOwn ? job.latest : entry.state });
    jobs.announce({ owner, jobId });
    noteEnd(index, job.entry.record, entry.record);
  },
});

/** No process follows a job of a queue, so each that reads its end keeps it: it is the same for all. */
const noteEnd = (
  index: JobIndex,
  before: JobRecord,
  { id, submissionId, ended, expiresAt }: JobRecord,
): void => {
  if (!isOfQueue({ id, submissionId }) || ended === undefined || ended === before.ended) return;
  // The log has the end already: without this the next start reads it from there.
  void index.update(id, { ended, expiresAt }).catch(() => undefined);
};
