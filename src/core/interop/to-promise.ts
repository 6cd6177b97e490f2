import { isLeft } from '../protocol/either.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type { ServiceError } from '../errors/errors.js';

/**
 * Runs a `TaskEither` as a promise that resolves with its Right or rejects with its Left.
 *
 * Each call runs the task once. The rejection is the `ServiceError` itself, an `Error` with `_tag`, so `catch` and
 * `switch (error._tag)` work; nothing is wrapped.
 *
 * @example
 * ```ts
 * import { createClient, toPromise } from 'promptwire';
 *
 * await using client = createClient({ baseUrl: 'http://127.0.0.1:8188', dialect: 'local' });
 * const { running, pending } = await toPromise(client.rest.queue());
 * console.log(running.length, pending.length);
 * ```
 */
export const toPromise = async <A, E extends Error = ServiceError>(task: TaskEither<E, A>): Promise<A> => {
  const result = await task();
  if (isLeft(result)) throw result.left;
  return result.right;
};
