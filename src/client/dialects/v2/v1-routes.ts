import * as E from '../../../core/protocol/either.js';
import { isEnvelope } from '../envelope.js';
import type { ServiceError } from '../../../core/errors/errors.js';
import { serviceError } from '../../../core/errors/service-error.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';

/**
 * A call of v1, which a service of API v2 may serve beside v2: `NotSupported` where it does not
 * (docs/protocol.md, chapter 12.10).
 *
 * @param what what the call is about, in a few words: `an account`
 */
export const besideV2 =
  <A>(call: TaskEither<ServiceError, A>, what: string): TaskEither<ServiceError, A> =>
  async () => {
    const answer = await call();
    return E.isLeft(answer) && isAbsent(answer.left) ? E.left(notSupported(what, answer.left)) : answer;
  };

/** What API v2 has no form for. */
export const notSupported = (what: string, { endpoint, status }: Partial<ServiceError> = {}): ServiceError =>
  serviceError('NotSupported', {
    message: `API v2 has no route for ${what}, and the service serves none of the former interface beside it.`,
    hint: "Where the service has the former interface at an address of its own, a client with dialect: 'cloud' or 'local' can call it.",
    endpoint,
    status,
  });

/**
 * A service that has the route answers 404 in JSON of its own where it does not know what was asked for; for a file that it does not
 * have, in no envelope of API v2.
 */
const isAbsent = (error: ServiceError): boolean =>
  error.status === 405 ||
  error.status === 501 ||
  (error.status === 404 && isEnvelope(error)) ||
  (error._tag === 'NotFound' && error.sample?.startsWith('{') !== true);
