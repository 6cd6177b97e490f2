import { initialJobState } from '../../../core/state/initial-job-state.js';
import { progressOf, statusOf } from '../../../core/events/state-members.js';
import type { StatusEvent } from '../../../core/events/job-log-event.js';

/** The last event of a job that was cancelled before the service had it. */
export const cancelledEvent = (at: number): StatusEvent => {
  const state = initialJobState({ workflow: {}, phase: 'cancelled' });
  return { type: 'status', at, status: statusOf(state), progress: progressOf(state) };
};
