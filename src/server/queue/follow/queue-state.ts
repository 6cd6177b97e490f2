import { applyJobEvent } from '../../../core/events/apply-job-event.js';
import { initialJobState } from '../../../core/state/initial-job-state.js';
import type { JobLogEvent } from '../../../core/events/job-log-event.js';
import type { JobState } from '../../../core/state/job-state.js';
import type { QueueKind } from '../store/queue-kind.js';

/** A state of a job of a queue. */
export interface QueueJobState extends JobState {
  /** In a queue over servers, the server that has the job; absent while it waits for one. */
  readonly server?: string;
  /** In a queue over servers, which submission of the job this is, from 1. Phases and progress begin anew with each. */
  readonly attempt?: number;
}

/**
 * Takes an event into the state of a job, which has none before its first one; over servers each state tells the attempt, which most events
 * leave as it was.
 */
export const applyQueueEvent =
  (kind: QueueKind | undefined) =>
  (state: QueueJobState | undefined, event: JobLogEvent): QueueJobState => {
    const next: QueueJobState = applyJobEvent(state ?? initialJobState(), event);
    return kind === 'servers' ? { ...next, attempt: next.attempt ?? state?.attempt ?? 1 } : next;
  };
