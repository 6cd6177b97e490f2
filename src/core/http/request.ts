import { call } from './call.js';
import type { Handle } from './attempt.js';
import type { CallContext, Failure } from './failure.js';
import type { CallOptions, SubmitOptions, Withdrawal } from './rest-options.js';
import * as E from '../protocol/either.js';
import type { Endpoint } from '../endpoints/endpoint.js';
import type { HttpConnection } from './connection.js';
import { readJson, type UnreadableBody } from './read-json.js';
import { readRefusal, refusal } from './refusal.js';
import { sampleOf } from '../redaction/redact.js';
import type { ServiceError } from '../errors/errors.js';
import { serviceError } from '../errors/service-error.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';

/**
 * Calls an endpoint that answers JSON: `request(connection)(endpoint, options)` is a `TaskEither` that does nothing until
 * it is run, may be run again, and never rejects.
 *
 * Answers above the client's bound (`maxAnswerBytes`; else the endpoint's, 8 MiB unless it says otherwise) are `Decode`, and so are
 * those of more than a quarter of a million values. An endpoint whose answer is parsed in pieces takes more values; what it skips counts
 * for neither. Of a refusal's body 4 MiB are read where it is JSON, and 64 KiB of a page.
 */
export const request =
  (connection: HttpConnection) =>
  <A>(
    endpoint: Endpoint<A>,
    options: CallOptions & Withdrawal & Pick<SubmitOptions, 'retry'> = {},
  ): TaskEither<ServiceError, A> =>
    call(connection, endpoint, options, readAnswer(connection, endpoint));

const readAnswer =
  <A>(connection: HttpConnection, endpoint: Endpoint<A>): Handle<A> =>
  async (response, scope, context) => {
    const { status } = response;
    if (status < 200 || status > 299) {
      return E.left(await readRefusal(connection, endpoint, response, scope, context));
    }
    const body = await readJson(connection, endpoint, response, scope);
    if (E.isLeft(body)) return E.left(unreadable(body.left, status, context));
    const { text, isRedacted } = body.right;
    // Before it is read: readers shorten texts, and of a secret that is cut a redactor finds nothing.
    const clean = <A>(value: A): A => (isRedacted ? value : connection.redactValue(value, text));
    const json = clean(body.right.json);
    const asSent = body.right.asSent === body.right.json ? json : clean(body.right.asSent);
    const refusedAs = endpoint.refusedAs?.(json);
    if (refusedAs !== undefined) {
      const refused = { ...response, status: refusedAs === 'missing' ? 404 : 400 };
      return E.left(refusal(connection, endpoint, refused, text, context));
    }
    const value = endpoint.read(json, asSent);
    if (E.isLeft(value)) return E.left(unreadable({ reason: value.left, text }, status, context));
    return value;
  };

const unreadable = (
  { reason, text, hint, option, isPage = false }: UnreadableBody,
  status: number,
  { endpoint, promptId, redact }: CallContext,
): Failure => ({
  // A page comes from a proxy or a login: the service has not dealt with the request.
  delivery: isPage ? 'refused' : 'unclear',
  error: serviceError('Decode', {
    ...(isPage && { retry: 'after' }),
    hint,
    option,
    message: `The answer of ${endpoint} can't be read: ${redact(reason)}.`,
    endpoint,
    status,
    reason: redact(reason),
    sample: sampleOf(text, 500, redact),
    promptId,
  }),
});
