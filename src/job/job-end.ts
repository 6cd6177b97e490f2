import { endsJob } from '../protocol/frames/ends-job.js';
import type { JobEvent } from '../protocol/state/job-event.js';
import { readFailure } from '../protocol/state/read-failure.js';
import type { JobFailure } from '../protocol/state/job-failure.js';

/** How a job ended, as one source said it. */
export interface JobEnd {
  readonly promptId: string;
  readonly phase: 'completed' | 'failed' | 'cancelled';
  readonly failure?: JobFailure;
}

/**
 * Reads the end of a job from one event: an `execution_success`, `_error` or `_interrupted` of the socket, or a final
 * status or record of REST. `ExecutionBlocked` and `executing` without a node are no ends.
 */
export const jobEnd = (event: JobEvent): JobEnd | undefined => {
  if (event._tag === 'StatusRead' || event._tag === 'HistoryRead') {
    const { promptId, phase, failure } = event;
    return phase === 'completed' || phase === 'failed' || phase === 'cancelled'
      ? { promptId, phase, failure }
      : undefined;
  }
  if (event._tag !== 'Event' || event.promptId === undefined || !endsJob(event)) return undefined;
  const { promptId } = event;
  switch (event.type) {
    case 'execution_success':
      return { promptId, phase: 'completed' };
    case 'execution_error':
      return { promptId, phase: 'failed', failure: readFailure(event.data) };
    default:
      return { promptId, phase: 'cancelled' };
  }
};
