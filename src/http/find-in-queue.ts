import * as E from '../protocol/either.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import { QueueScan } from '../protocol/answers/queue-scan.js';
import { queueEndpoint } from '../protocol/endpoints/queue.js';
import type { ServiceError } from '../protocol/errors/errors.js';
import { serviceError } from '../protocol/errors/service-error.js';
import { call, type Handle } from './call.js';
import type { HttpConnection } from './connection.js';
import { readRefusal } from './read-refusal.js';
import type { CallOptions, Pace } from './rest.js';

/** Where the queue lists a job: `undefined` where it does not. */
export type QueuePlace = 'in_progress' | 'pending' | undefined;

/**
 * Looks for a job in the queue of a local server. The listing is read as a stream and not kept, so it may have any size.
 *
 * A server without that route is `ProtocolChanged`, since `NotFound` would mean that the job is gone.
 */
export const findInQueue = (
  connection: HttpConnection,
  promptId: string,
  options: CallOptions & Pace,
): TaskEither<ServiceError, QueuePlace> => {
  const endpoint = { ...queueEndpoint(), streamed: true };
  const handle: Handle<QueuePlace> = async (response, scope, context) => {
    const { status } = response;
    if (status < 200 || status > 299) {
      const failure = await readRefusal(connection, endpoint, response, scope, context);
      return E.left(status === 404 ? { ...failure, error: noRoute(failure.error) } : failure);
    }
    const scan = new QueueScan(promptId);
    const decoder = new TextDecoder();
    const chunks = response.body[Symbol.asyncIterator]();
    let isRead = false;
    try {
      while (scan.found === undefined && !isRead) {
        scope.patient();
        const chunk = await scope.race(chunks.next());
        isRead = chunk.done === true;
        scan.push(chunk.done === true ? decoder.decode() : decoder.decode(chunk.value, { stream: true }));
      }
    } finally {
      if (!isRead) response.discard();
    }
    scope.release();
    if (scan.found !== undefined || scan.isWhole) return E.right(scan.found);
    const reason = 'the answer is no queue listing';
    const error = serviceError('Decode', {
      message: `The answer of ${context.endpoint} can't be read: ${reason}.`,
      endpoint: context.endpoint,
      status,
      reason,
    });
    return E.left({ standing: 'unclear', error });
  };
  return call(connection, endpoint, options, handle);
};

const noRoute = ({ endpoint, sample }: ServiceError): ServiceError =>
  serviceError('ProtocolChanged', {
    message: 'The server has no queue at its address.',
    endpoint,
    status: 404,
    sample,
  });
