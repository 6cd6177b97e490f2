import * as E from '../../../core/protocol/either.js';
import type { CancelResult } from '../model/gateway-jobs.js';
import { isTerminal } from '../../../core/state/job-state.js';
import type { JobEntry } from '../registry/job-entry.js';
import type { SubmissionContext } from './submission-context.js';

/** Asks for the end of a job: the gateway remembers it first, and asks the service as soon as it knows the service's id. */
export const cancelJob = async (
  {
    clock,
    index,
    registry,
    upstreams,
  }: Pick<SubmissionContext, 'clock' | 'index' | 'registry' | 'upstreams'>,
  job: JobEntry,
): Promise<CancelResult> => {
  const { record } = job;
  const { id } = record;
  if (isTerminal(job.state.phase)) return { _tag: 'taken', job, requested: false };
  if (record.cancelRequestedAt === undefined) {
    const cancelRequestedAt = clock.wall();
    registry.setRecord({ ...record, cancelRequestedAt });
    await Promise.all([
      index.update(id, { cancelRequestedAt }),
      registry.append(id, { type: 'cancelRequested', at: cancelRequestedAt }),
    ]);
  }
  const upstream = upstreams[record.client];
  const ownId = upstream?.submissionIds === 'jobs' ? record.submissionId : undefined;
  const promptId = registry.get(id)?.record.promptId ?? ownId;
  // A job that is looked for is cancelled once it is found.
  const asked = promptId === undefined ? undefined : await upstream?.cancel(promptId)();
  const now = registry.get(id) ?? job;
  // A job that is over needs no end.
  return asked !== undefined && E.isLeft(asked) && !isTerminal(now.state.phase)
    ? { _tag: 'failed', job: now, error: asked.left }
    : { _tag: 'taken', job: now, requested: true };
};
