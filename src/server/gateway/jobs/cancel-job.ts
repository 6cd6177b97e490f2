import type { CancelResult } from '../model/gateway-jobs.js';
import type { Clock } from '../../../core/platform/platform.js';
import { isLeft } from '../../../core/protocol/either.js';
import { isTerminal } from '../../../core/state/job-state.js';
import type { JobEntry } from '../registry/job-entry.js';
import type { SubmissionContext } from './submission-context.js';
import { logOf } from '../upstream/upstream.js';
import { within } from './within.js';

/**
 * Asks for the end of a job: the service at once, as soon as its id of the job is known, and again until the job has ended. The index
 * remembers the request meanwhile; a full disk prevents no cancellation of a job that costs money.
 */
export const cancelJob = async (
  {
    clock,
    index,
    registry,
    cancellations,
    upstreams,
  }: Pick<SubmissionContext, 'index' | 'registry' | 'cancellations' | 'upstreams'> & {
    readonly clock: Pick<Clock, 'wall' | 'after'>;
  },
  job: JobEntry,
): Promise<CancelResult> => {
  const { record } = job;
  const { id } = record;
  if (isTerminal(job.state.phase)) return { _tag: 'taken', job, requested: false };
  const remember = async (): Promise<void> => {
    if (record.cancelRequestedAt !== undefined) return;
    const cancelRequestedAt = clock.wall();
    registry.setRecord({ ...record, cancelRequestedAt });
    // A queue logs the request itself.
    const isLogged = logOf(record, upstreams[record.client]) !== undefined;
    await Promise.allSettled([
      index.update(id, { cancelRequestedAt }),
      ...(isLogged ? [] : [registry.append(id, { type: 'cancelRequested', at: cancelRequestedAt })]),
    ]);
  };
  const remembered = remember();
  const asked = await cancellations.ask(id);
  await within(clock, remembered, undefined);
  const now = registry.get(id) ?? job;
  // A job that is over needs no end.
  return asked !== undefined && isLeft(asked) && !isTerminal(now.state.phase)
    ? { _tag: 'failed', job: now, error: asked.left }
    : { _tag: 'taken', job: now, requested: true };
};
