import { CallRetries, type CallWay } from './call-retries.js';
import * as E from '../protocol/either.js';
import type { Endpoint } from '../endpoints/endpoint.js';
import type { Handle } from './attempt.js';
import type { HttpConnection } from './connection.js';
import type { ServiceError } from '../errors/errors.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';

/**
 * Runs one endpoint: attempts, the waits between them and one deadline over all of it.
 *
 * Lazy, and never rejects. The deadline is 60 s unless given, with 30 s for an answer to begin and for each piece of it, or of
 * what is sent, to follow; a given deadline replaces these, too. It is over silence: it begins anew as long as at least 1 KiB/s
 * moves. Waits that the service asked for, and those for what is still missing, count
 * only against a given one. The key goes into the header that the dialect names, to the configured origin, and nowhere else.
 *
 * A submission that left without a clear answer ends as `OutcomeUnknown`; one that was withdrawn while it waited to be sent
 * again, as `Aborted`. A refusal that may be a stray page is retried twice, over seconds, while the client's other calls wait
 * for the result. With `retry: false` the call waits for nothing and sends one request.
 */
export const call =
  <A>(
    connection: HttpConnection,
    endpoint: Endpoint<unknown>,
    options: CallWay,
    handle: Handle<A>,
  ): TaskEither<ServiceError, A> =>
  async () => {
    const retries = new CallRetries(connection, endpoint, options);
    try {
      for (;;) {
        // No await where nothing is confirmed: the request leaves in the turn in which the call is run.
        const confirming = retries.othersConfirm();
        const refusal = (confirming && (await confirming)) ?? retries.knownRefusal();
        if (refusal !== undefined) return E.left(refusal);
        const outcome = await retries.attempt(handle);
        if (E.isRight(outcome)) return outcome;
        const error = await retries.failed(outcome.left);
        if (error !== undefined) return E.left(error);
      }
    } finally {
      retries.end();
    }
  };
