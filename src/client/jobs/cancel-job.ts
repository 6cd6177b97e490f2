import type { CallOptions } from '../../core/http/rest.js';
import * as E from '../../core/protocol/either.js';
import type { JobContext } from './job-context.js';
import type { ServiceError } from '../../core/errors/errors.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';

/** What {@link cancelJob} needs. */
export interface CancelContext extends Pick<JobContext, 'rest'> {
  readonly dialect: Pick<JobContext['dialect'], 'cancel'>;
  readonly tracker: Pick<JobContext['tracker'], 'cancelled'>;
}

/**
 * Asks for the end of one job by its id; Right says that the service took the request, not that the job is cancelled.
 *
 * The dialect says how; the account-wide interrupt is never used. The tracker then polls the job: nothing on the socket says
 * that a waiting one is gone.
 */
export const cancelJob =
  (context: CancelContext, promptId: string, options?: CallOptions): TaskEither<ServiceError, void> =>
  async () => {
    const deleted = (): void => context.tracker.cancelled(promptId);
    const asked = await context.dialect.cancel(context.rest, promptId, { ...options, deleted })();
    if (E.isRight(asked)) deleted();
    return asked;
  };
