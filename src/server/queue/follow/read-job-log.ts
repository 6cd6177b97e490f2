import { applyJobEvent } from '../../../core/events/apply-job-event.js';
import type { EventLog } from '../../joblog/event-log.js';
import { initialJobState } from '../../../core/state/initial-job-state.js';
import type { JobState } from '../../../core/state/job-state.js';

/** A page of a log. */
const pageSize = 500;

/** Reads what the log says of a job: the state that its events lead to, and none where there is no event. */
export const readJobLog = async (
  log: Pick<EventLog, 'read'>,
  tenant: string,
  jobId: string,
): Promise<JobState | undefined> => {
  let state: JobState | undefined;
  let after: string | undefined;
  for (;;) {
    const { events } = await log.read({ owner: tenant, jobId }, after, pageSize);
    for (const { event } of events) state = applyJobEvent(state ?? initialJobState({ workflow: {} }), event);
    if (events.length < pageSize) return state;
    after = events.at(-1)?.id;
  }
};
