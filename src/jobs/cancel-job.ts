import type { CallOptions } from '../http/rest.js';
import * as E from '../protocol/either.js';
import { isTerminal } from '../state/job-state.js';
import type { JobContext } from './job-context.js';
import type { ServiceError } from '../errors/errors.js';
import { serviceError } from '../errors/service-error.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';

/** What {@link cancelJob} needs. */
export interface CancelContext extends Pick<JobContext, 'rest' | 'dialect'> {
  readonly tracker: Pick<JobContext['tracker'], 'cancelled'>;
}

/**
 * Asks for the end of one job by its id; Right says that the service took the request, not that the job is cancelled.
 *
 * Cloud: the queue's delete; where the answer leaves the id out and the job still goes on, Left `CancelNotApplied`.
 * Local: delete, which reaches a waiting job, and an interrupt by id, which reaches it while it runs. The account-wide
 * interrupt is never used. Whoever follows the job is told to look: nothing on the socket says that a waiting one is gone.
 */
export const cancelJob =
  (context: CancelContext, promptId: string, options?: CallOptions): TaskEither<ServiceError, void> =>
  async () => {
    const asked = await askForEnd(context, promptId, options);
    if (E.isRight(asked)) context.tracker.cancelled(promptId);
    return asked;
  };

const askForEnd = async (
  { rest, dialect }: Pick<JobContext, 'rest' | 'dialect'>,
  promptId: string,
  options?: CallOptions,
): Promise<E.Either<ServiceError, void>> => {
  const deleted = await rest.cancel([promptId], options)();
  if (E.isLeft(deleted)) return deleted;
  if (dialect === 'local') return rest.interrupt({ ...options, promptId })();
  const { deleted: ids } = deleted.right;
  if (ids === undefined || ids.includes(promptId)) return E.right(undefined);
  const status = await rest.jobStatus(promptId, options)();
  if (E.isLeft(status)) return status;
  const { phase } = status.right;
  return isTerminal(phase)
    ? E.right(undefined)
    : E.left(serviceError('CancelNotApplied', { promptId, phase }));
};
