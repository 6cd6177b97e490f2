import { applyJobEvent } from '../../../core/events/apply-job-event.js';
import type { JobEntry } from '../registry/job-entry.js';
import type { EventLog } from '../../joblog/event-log.js';
import { initialJobState } from '../../../core/state/initial-job-state.js';

/** Gives a job as it was at a position of its owner's log; undefined where the log has not all of its events up to there. */
export const jobAt = async (
  log: EventLog,
  job: JobEntry | undefined,
  position: string,
): Promise<JobEntry | undefined> => {
  if (job === undefined || job.position === position) return job;
  const { id: jobId, owner, workflow, promptId } = job.record;
  const { events, gap } = await log.read({ owner, jobId }, undefined, 1_000_000);
  if (gap) return undefined;
  const after = await log.read({ owner, jobId }, position, 1_000_000);
  // By their ids: what was appended between the two reads stands in the second one alone.
  const later = new Set(after.events.map(({ id }) => id));
  const until = events.filter(({ id }) => !later.has(id)).map(({ event }) => event);
  const { cancelRequestedAt, ...uncancelled } = job.record;
  const isCancelled = cancelRequestedAt !== undefined && until.some(({ type }) => type === 'cancelRequested');
  return {
    ...job,
    record: isCancelled ? job.record : uncancelled,
    state: until.reduce(applyJobEvent, initialJobState({ workflow, promptId })),
  };
};
