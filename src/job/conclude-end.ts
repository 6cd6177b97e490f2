import type { JobFailure } from '../protocol/state/job-failure.js';
import { reasonOf } from '../protocol/state/unknown-failure.js';
import { type EndSource, isBare, type JobEnd } from './job-end.js';

const authority: readonly EndSource[] = ['record', 'detail', 'status', 'socket'];

/**
 * Says how a job ended where its sources differ; there is at least one end.
 *
 * The record has the last word, then the rest of REST, then the socket. A failure without a reason gives way to a
 * more specific end that does not contradict it: a failure with a reason, or a cancellation, which a record without messages
 * calls an error as well. The failure is the most specific one of any source; the socket reports it in full.
 */
export const concludeEnd = (ends: readonly [JobEnd, ...JobEnd[]]): JobEnd => {
  const inOrder = authority.flatMap((source) => ends.filter((end) => end.source === source));
  const first = inOrder[0] ?? ends[0];
  const specific = isBare(first)
    ? inOrder.find((end) => end.phase !== 'completed' && !isBare(end))
    : undefined;
  const { phase, promptId, source } = specific ?? first;
  return { promptId, phase, source, ...(phase === 'failed' && { failure: bestFailure(inOrder) }) };
};

const bestFailure = (ends: readonly JobEnd[]): JobFailure | undefined => {
  const failures = ends.toReversed().flatMap(({ failure }) => failure ?? []);
  return failures.toSorted((one, other) => reasonOf(other) - reasonOf(one))[0];
};
