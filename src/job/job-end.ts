import { endsJob } from '../protocol/frames/ends-job.js';
import type { JobEvent } from '../protocol/state/job-event.js';
import { readFailure } from '../protocol/state/read-failure.js';
import type { JobFailure } from '../protocol/state/job-failure.js';
import { reasonOf } from '../protocol/state/unknown-failure.js';

/** Where an end was told, the least reliable last. */
export type EndSource = 'record' | 'detail' | 'status' | 'socket';

/** How a job ended, as one source said it. */
export interface JobEnd {
  readonly promptId: string;
  readonly phase: 'completed' | 'failed' | 'cancelled';
  readonly failure?: JobFailure;
  readonly source: EndSource;
}

/**
 * Reads the end of a job from one event: an `execution_success`, `_error` or `_interrupted` of the socket, or a final
 * status or record of REST. `ExecutionBlocked` and `executing` without a node are no ends.
 */
export const jobEnd = (event: JobEvent): JobEnd | undefined => {
  if (event._tag === 'StatusRead' || event._tag === 'HistoryRead') {
    const { promptId, phase, failure } = event;
    return phase === 'completed' || phase === 'failed' || phase === 'cancelled'
      ? { promptId, phase, failure, source: event._tag === 'StatusRead' ? 'status' : 'record' }
      : undefined;
  }
  if (event._tag !== 'Event' || event.promptId === undefined || !endsJob(event)) return undefined;
  const { promptId } = event;
  switch (event.type) {
    case 'execution_success':
      return { promptId, phase: 'completed', source: 'socket' };
    case 'execution_error':
      return { promptId, phase: 'failed', failure: readFailure(event.data), source: 'socket' };
    default:
      return { promptId, phase: 'cancelled', source: 'socket' };
  }
};

/** A failure without a reason: an interrupted job is told so as well, where a record has no messages. */
export const isBare = ({ phase, failure }: Pick<JobEnd, 'phase' | 'failure'>): boolean =>
  phase === 'failed' && (failure === undefined || reasonOf(failure) === 0);
