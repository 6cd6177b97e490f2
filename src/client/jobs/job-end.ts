import { endsJob } from '../../core/protocol/attribution/running-prompts.js';
import type { JobInput } from '../../core/state/step-job-state.js';
import { type JobFailure, readFailure, failureDetail } from '../../core/state/failure.js';

/** The source of an end, the least reliable last. */
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
export const jobEnd = (event: JobInput): JobEnd | undefined => {
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

/** A failure without a reason: a record without messages says the same of an interrupted job. */
export const isBare = ({ phase, failure }: Pick<JobEnd, 'phase' | 'failure'>): boolean =>
  phase === 'failed' && (failure === undefined || failureDetail(failure) === 0);

const authority: readonly EndSource[] = ['record', 'detail', 'status', 'socket'];

/**
 * Says how a job ended where its sources differ; there is at least one end.
 *
 * The record has the last word, then the rest of REST, then the socket. A failure without a reason gives way to a
 * more specific end that does not contradict it: a failure with a reason, or a cancellation, which a record without messages
 * calls an error as well. The failure is the most specific one of any source; the socket reports it in full.
 */
export const concludeEnd = (ends: readonly [JobEnd, ...JobEnd[]]): JobEnd => {
  // Mostly all sources say the same.
  if (ends.every(({ phase }) => phase === 'completed')) return ends[0];
  const inOrder = ends.toSorted(
    (one, other) => authority.indexOf(one.source) - authority.indexOf(other.source),
  );
  const first = inOrder[0] ?? ends[0];
  const specific = isBare(first)
    ? inOrder.find((end) => end.phase !== 'completed' && !isBare(end))
    : undefined;
  const { phase, promptId, source } = specific ?? first;
  return { promptId, phase, source, ...(phase === 'failed' && { failure: bestFailure(inOrder) }) };
};

const bestFailure = (ends: readonly JobEnd[]): JobFailure | undefined => {
  const failures = ends.toReversed().flatMap(({ failure }) => failure ?? []);
  return failures.toSorted((one, other) => failureDetail(other) - failureDetail(one))[0];
};
