import { applyJobEvent } from '../../../core/events/apply-job-event.js';
import type { JobEntry } from '../registry/job-entry.js';
import type { EventLog } from '../../joblog/event-log.js';
import { replay } from '../../joblog/replay.js';
import { initialJobState } from '../../../core/state/initial-job-state.js';
import { withoutMember } from '../../../core/state/without-member.js';

/** Gives a job as it was at a position of its owner's log; undefined if the log has not all of its events up to there. */
export const jobAt = async (
  log: EventLog,
  job: JobEntry | undefined,
  position: string,
): Promise<JobEntry | undefined> => {
  if (job === undefined || job.position === position) return job;
  const { id: jobId, owner, workflow, promptId } = job.record;
  const { events, isWhole } = await replay(log, { owner, jobId }, position);
  if (!isWhole) return undefined;
  const until = events.map(({ event }) => event);
  const isCancelled = until.some(({ type }) => type === 'cancelRequested');
  return {
    ...job,
    record: isCancelled ? job.record : withoutMember(job.record, 'cancelRequestedAt'),
    state: until.reduce(applyJobEvent, initialJobState({ workflow, promptId })),
  };
};
