import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { CallOptions } from '../http/rest.js';
import type { ServiceError } from '../protocol/errors/errors.js';
import { isTerminal } from '../protocol/state/job-phase.js';
import { serviceError } from '../protocol/errors/service-error.js';
import type { JobContext } from './job-context.js';

/**
 * Asks for the end of one job by its id; Right says that the service took the request, not that the job is cancelled.
 *
 * Cloud: the queue's delete; where the answer leaves the id out and the job still goes on, Left `CancelNotApplied`.
 * Local: delete, which reaches a waiting job, and an interrupt by id, which reaches it while it runs. The account-wide
 * interrupt is never used. Whoever follows the job is told to look: nothing on the socket says that a waiting one is gone.
 */
export const cancelJob = (
  context: Pick<JobContext, 'rest' | 'dialect' | 'cancelled'>,
  promptId: string,
  options?: CallOptions,
): TE.TaskEither<ServiceError, void> =>
  pipe(
    askForEnd(context, promptId, options),
    TE.tapIO(() => () => context.cancelled.next(promptId)),
  );

const askForEnd = (
  { rest, dialect }: Pick<JobContext, 'rest' | 'dialect'>,
  promptId: string,
  options?: CallOptions,
): TE.TaskEither<ServiceError, void> => {
  const deleted = rest.cancel([promptId], options);
  if (dialect === 'local')
    return pipe(
      deleted,
      TE.flatMap(() => rest.interrupt({ ...options, promptId })),
    );
  return pipe(
    deleted,
    TE.flatMap(({ deleted: ids }) =>
      ids === undefined || ids.includes(promptId)
        ? TE.right(undefined)
        : explain({ rest }, promptId, options),
    ),
  );
};

const explain = (
  { rest }: Pick<JobContext, 'rest'>,
  promptId: string,
  options?: CallOptions,
): TE.TaskEither<ServiceError, void> =>
  pipe(
    rest.jobStatus(promptId, options),
    TE.flatMap(({ phase }) =>
      isTerminal(phase)
        ? TE.right(undefined)
        : TE.left(serviceError('CancelNotApplied', { promptId, phase })),
    ),
  );
