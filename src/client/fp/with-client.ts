import type { Client } from '../client-types.js';
import type { ServiceError } from '../../core/errors/errors.js';
import type { ClientReader } from './client-reader.js';
import { isServiceError, serviceError } from '../../core/errors/service-error.js';
import { identity, pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';

/**
 * Runs a program with a client of its own, which it closes afterwards, whether the program succeeds or not.
 *
 * Lazy: each run makes a client. Left `InvalidConfig` where `createClient` refuses its options, and `Defect` where a function of
 * the program throws. Closing ends what the program
 * left under way, so a job that it did not wait for goes on at the service without a subscriber here.
 *
 * @example
 * ```ts
 * import { createClient } from 'promptwire';
 * import { rest, withClient } from 'promptwire/fp';
 * import { pipe } from 'fp-ts/lib/function.js';
 *
 * const waiting = pipe(
 *   rest((calls) => calls.queue()),
 *   withClient(() => createClient({ baseUrl: 'http://127.0.0.1:8188', dialect: 'local' })),
 * );
 * ```
 */
export const withClient =
  (make: () => Client) =>
  <A>(program: ClientReader<A>): TE.TaskEither<ServiceError, A> =>
    TE.bracket(
      TE.tryCatch(async () => Promise.resolve(make()), asServiceError),
      // A function of the program's own may throw: the client is closed all the same.
      (client) =>
        pipe(
          TE.tryCatch(() => program(client)(), asServiceError),
          TE.flatMapEither(identity),
        ),
      (client) => TE.tryCatch(() => client.close(), asServiceError),
    );

const asServiceError = (error: unknown): ServiceError =>
  isServiceError(error) ? error : serviceError('Defect', { cause: error });
