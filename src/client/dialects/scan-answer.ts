import { call } from '../../core/http/call.js';
import type { CallOptions } from '../../core/http/rest.js';
import * as E from '../../core/protocol/either.js';
import type { Endpoint } from '../../core/endpoints/endpoint.js';
import type { Handle } from '../../core/http/attempt.js';
import type { HttpConnection } from '../../core/http/connection.js';
import { readRefusal } from '../../core/http/refusal.js';
import type { ServiceError } from '../../core/errors/errors.js';
import { serviceError } from '../../core/errors/service-error.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';

/** Reads a text while it comes. */
export interface Scan {
  readonly push: (text: string) => void;
  /** Whether nothing more has to be read. */
  readonly isDone: boolean;
  /** Whether what came so far is a whole answer. */
  readonly isWhole: boolean;
}

/**
 * Reads an answer as a stream that is not kept, so it may have any size; each attempt of the call has a scan of its own.
 *
 * Left `Decode` where the answer ends before it is whole; `listing` says what it should be.
 */
export const scanAnswer = <S extends Scan>(
  connection: HttpConnection,
  endpoint: Endpoint<unknown>,
  newScan: () => S,
  { listing, ...options }: CallOptions & { readonly listing: string },
): TaskEither<ServiceError, S> => {
  const streamed = { ...endpoint, streamed: true };
  const handle: Handle<S> = async (response, scope, context) => {
    const { status } = response;
    if (status < 200 || status > 299)
      return E.left(await readRefusal(connection, streamed, response, scope, context));
    const scan = newScan();
    const decoder = new TextDecoder();
    const chunks = response.body[Symbol.asyncIterator]();
    let isRead = false;
    try {
      while (!scan.isDone && !isRead) {
        scope.patient();
        const chunk = await scope.race(chunks.next());
        isRead = chunk.done === true;
        if (chunk.done !== true) scope.moved(chunk.value.byteLength);
        scan.push(chunk.done === true ? decoder.decode() : decoder.decode(chunk.value, { stream: true }));
      }
    } finally {
      if (!isRead) response.discard();
    }
    scope.release();
    if (scan.isDone || scan.isWhole) return E.right(scan);
    const reason = `the answer is no ${listing}`;
    const error = serviceError('Decode', {
      message: `The answer of ${context.endpoint} can't be read: ${reason}.`,
      endpoint: context.endpoint,
      status,
      reason,
    });
    return E.left({ delivery: 'unclear', error });
  };
  return call(connection, streamed, options, handle);
};
