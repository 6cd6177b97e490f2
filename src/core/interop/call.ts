import type { ServiceError } from '../errors/errors.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';

/**
 * A call that has not begun: a `TaskEither`, which begins each time it is run, and never rejects.
 *
 * `await` of the call itself would wait for nothing, so the compiler refuses it (TS1320). Run it: `await call()` gives an `Either`,
 * and `await toPromise(call)` the value or the error; or take the client of `promptwire/promises`, whose calls are promises.
 *
 * @example
 * ```ts
 * import { toPromise, type Client } from 'promptwire';
 *
 * const stop = async (client: Client, promptId: string): Promise<void> => {
 *   await toPromise(client.cancel(promptId)); // or: await client.cancel(promptId)()
 * };
 * ```
 */
export interface Call<Value> extends TaskEither<ServiceError, Value> {
  /** Nothing has this member: it only lets the compiler refuse `await` of a call that was not run. */
  readonly then?: (
    this: never,
    run: 'This call has not begun: await call(), or await toPromise(call).',
  ) => never;
}
