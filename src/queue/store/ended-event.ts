import { initialJobState } from '../../state/initial-job-state.js';
import { progressOf, statusOf } from '../../gateway/jobs/changes-between.js';
import type { StatusEvent } from '../../gateway/jobs/job-event.js';

/** The last event of a job that was cancelled before the service had it. */
export const cancelledEvent = (at: number): StatusEvent => {
  const state = initialJobState({ workflow: {}, phase: 'cancelled' });
  return { type: 'status', at, status: statusOf(state), progress: progressOf(state) };
};
