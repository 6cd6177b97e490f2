import { applyJobEvent } from '../../../core/events/apply-job-event.js';
import type { EventLog } from '../../joblog/event-log.js';
import { initialJobState } from '../../../core/state/initial-job-state.js';
import type { JobState } from '../../../core/state/job-state.js';
import { replay } from '../../joblog/replay.js';

/** Reads what the log says of a job: the state that its events lead to, and none where there is no event. */
export const readJobLog = async (
  log: Pick<EventLog, 'read'>,
  tenant: string,
  jobId: string,
): Promise<JobState | undefined> => {
  const { events } = await replay(log, { owner: tenant, jobId });
  return events.reduce<JobState | undefined>(
    (state, { event }) => applyJobEvent(state ?? initialJobState({ workflow: {} }), event),
    undefined,
  );
};
