import type { Clock } from '../../../core/platform/platform.js';
import type { DeleteResult } from '../model/gateway-jobs.js';
import { forgetExpiredNow } from './forget-expired.js';
import { isLeft } from '../../../core/protocol/either.js';
import { isTerminal } from '../../../core/state/job-state.js';
import type { JobEntry } from '../registry/job-entry.js';
import type { ServiceError } from '../../../core/errors/errors.js';
import type { SubmissionContext } from './submission-context.js';

/**
 * Deletes a job that has ended: at the service what it deletes there, then its record, its events and its pictures. Its idempotency key stays
 * used, so that a submission that is repeated makes no second job.
 */
export const deleteJob = async (
  {
    clock,
    index,
    registry,
    upstreams,
  }: Pick<SubmissionContext, 'index' | 'registry' | 'upstreams'> & { readonly clock: Pick<Clock, 'wall'> },
  { record, state }: JobEntry,
): Promise<DeleteResult> => {
  const { phase } = state;
  if (!isTerminal(phase)) return { _tag: 'running' };
  const { id, promptId, client, ended = { phase, at: clock.wall() } } = record;
  const remove = promptId === undefined ? undefined : upstreams[client]?.delete?.(promptId, record);
  const removed = await remove?.();
  if (removed !== undefined && isLeft(removed) && mayComeBack(removed.left))
    return { _tag: 'failed', error: removed.left };
  // It is the first that expires, and those go 500 at once.
  await index.update(id, { ended, expiresAt: 0 });
  await forgetExpiredNow(clock, index, registry);
  // Where the index lost it before.
  if (registry.get(id) !== undefined) await registry.remove(record);
  return { _tag: 'deleted', files: removed === undefined || isLeft(removed) ? 'kept' : removed.right.files };
};

/**
 * Whether the service may come back: it still has the files then, and no caller could ask for them once the gateway has forgotten the job.
 */
const mayComeBack = ({ retry }: ServiceError): boolean => retry === 'after';
