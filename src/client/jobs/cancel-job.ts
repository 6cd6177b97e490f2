import type { CallOptions } from '../../core/http/rest.js';
import * as E from '../../core/protocol/either.js';
import type { JobContext } from './job-context.js';
import type { ServiceError } from '../../core/errors/errors.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';

/** How the dialect cancels, and the tracker that polls the job then. */
export interface CancelContext extends Pick<JobContext, 'rest'> {
  readonly dialect: Pick<JobContext['dialect'], 'cancel'>;
  readonly tracker: Pick<JobContext['tracker'], 'cancelled'>;
}

/**
 * Asks for the end of one job by its id, and repeats it until the job has ended, while the client lives; Right says that the service took
 * the first request.
 */
export const cancelJob =
  (
    context: CancelContext & Pick<JobContext, 'cancellations'>,
    promptId: string,
    options?: CallOptions,
  ): TaskEither<ServiceError, void> =>
  async () => {
    const asked = await cancelOnce(context, promptId, options)();
    if (E.isRight(asked)) context.cancellations.begin(promptId);
    return asked;
  };

/**
 * Asks for the end of one job by its id; Right says that the service took the request, not that the job is cancelled.
 *
 * The dialect says how; the account-wide interrupt is never used. The tracker then polls the job: nothing on the socket says
 * that a waiting one is gone.
 */
export const cancelOnce =
  (context: CancelContext, promptId: string, options?: CallOptions): TaskEither<ServiceError, void> =>
  async () => {
    const deleted = (): void => context.tracker.cancelled(promptId);
    const asked = await context.dialect.cancel(context.rest, promptId, { ...options, deleted })();
    if (E.isLeft(asked)) return asked;
    context.tracker.cancelled(promptId, asked.right);
    return E.right(undefined);
  };

/**
 * Asks for the end of these jobs, many at a time where the service can; those that it does not take together are cancelled one by one, all
 * of them also where one is refused. Left is the first refusal.
 */
export const cancelAll =
  (
    context: CancelContext & Pick<JobContext, 'cancellations' | 'cancelMany'>,
    promptIds: readonly string[],
    options?: CallOptions,
  ): TaskEither<ServiceError, void> =>
  async () => {
    const ids = [...new Set(promptIds)];
    const together = await (context.cancelMany?.(ids, options)() ?? E.right(ids));
    if (E.isLeft(together)) return together;
    const alone = new Set(together.right);
    for (const promptId of ids)
      if (!alone.has(promptId)) {
        context.tracker.cancelled(promptId);
        context.cancellations.begin(promptId);
      }
    let refused: E.Either<ServiceError, void> = E.right(undefined);
    for (const promptId of alone) {
      const asked = await cancelJob(context, promptId, options)();
      if (E.isRight(refused)) refused = asked;
    }
    return refused;
  };
