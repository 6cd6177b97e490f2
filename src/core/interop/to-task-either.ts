import { left, right, type Either } from '../protocol/either.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type { Observable } from 'rxjs';
import type { ServiceError } from '../errors/errors.js';
import { isServiceError, serviceError } from '../errors/service-error.js';

/**
 * Turns an Observable into a `TaskEither` of its last value.
 *
 * ```text
 * observable       --a--b--|              --a--#            --|
 * task             -------- Right b       ----- Left        -- Left Empty
 * ```
 *
 * Lazy: each run subscribes once and waits for the end. A `ServiceError` of the stream becomes the Left. A stream that
 * completes without a value gives Left `Empty`. Any other error, such as one thrown by a projection of your own, gives
 * Left `Defect` with the original as `cause`, so that the promise never rejects. A run can't be stopped: to stop the stream
 * pipe it through `abortable(signal)` first.
 *
 * @example
 * ```ts
 * import { toTaskEither, type Client, type JobState, type ServiceError, type Workflow } from 'promptwire';
 * import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
 *
 * const lastState = (client: Client, workflow: Workflow): TaskEither<ServiceError, JobState> =>
 *   toTaskEither(client.run(workflow));
 * ```
 */
export const toTaskEither =
  <A>(observable: Observable<A>): TaskEither<ServiceError, A> =>
  () =>
    new Promise((resolve) => {
      let last: Either<ServiceError, A> | undefined;
      observable.subscribe({
        next: (value) => (last = right(value)),
        error: (error: unknown) => resolve(left(toServiceError(error))),
        complete: () => resolve(last ?? left(serviceError('Empty', {}))),
      });
    });

const toServiceError = (error: unknown): ServiceError =>
  isServiceError(error) ? error : serviceError('Defect', { cause: error });
