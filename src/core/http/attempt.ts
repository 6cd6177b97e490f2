import { answeredId } from '../log/request-id.js';
import { type CallContext, type Failure, failureOf } from './failure.js';
import type { CallScope } from './call-scope.js';
import type { CheckedHeaders } from './own-headers.js';
import * as E from '../protocol/either.js';
import type { Endpoint } from '../endpoints/endpoint.js';
import type { HttpConnection } from './connection.js';
import type { HttpRequest, HttpResponse } from '../platform/platform.js';
import { logRequest, type RequestLog } from './log-request.js';
import { type Transfer, transferOf } from './transfer.js';

/** Makes a value of an answer; it owns the scope from then on and releases it. */
export type Handle<A> = (
  response: HttpResponse,
  scope: CallScope,
  context: CallContext,
) => Promise<E.Either<Failure, A>>;

/** Sends one request and handles its answer; never rejects. A failure says whether the request left. */
export const attempt = async <A>(
  connection: HttpConnection,
  endpoint: Endpoint<unknown>,
  scope: CallScope,
  context: CallContext,
  handle: Handle<A>,
): Promise<E.Either<Failure, A>> => {
  const transfer = transferOf(endpoint, scope, context.isRelaxed === true);
  let answered: HttpResponse['headers'] | undefined;
  let log: RequestLog | undefined;
  try {
    if (scope.ending() !== undefined) return E.left(failureOf(undefined, scope, 'unsent', context));
    const own = connection.headers?.();
    if (own !== undefined && E.isLeft(own)) return E.left({ error: own.left, delivery: 'unsent' });
    log = logRequest(connection.logger, context.endpoint, connection.platform.clock);
    const answer = connection.platform.request(requestOf(connection, endpoint, own?.right, scope, transfer));
    // Set after the request: each microsecond before it delays it.
    if (!transfer.isSent()) scope.patient();
    const response = await scope.race(answer, discard);
    answered = response.headers;
    log?.answered(
      response.status,
      answeredId((name) => answered?.[name]),
    );
    const handled = await handle(response, scope, {
      ...context,
      sentOrigin: own?.right['origin'] !== undefined,
    });
    return E.isLeft(handled) ? E.left(withRequestId(handled.left, response.headers, context)) : handled;
  } catch (cause) {
    const failure = failureOf(
      cause,
      scope,
      answered !== undefined ? 'answered' : transfer.isSent() ? 'sent' : 'unsent',
      context,
    );
    if (answered !== undefined) return E.left(withRequestId(failure, answered, context));
    log?.failed(failure.error.message);
    return E.left(failure);
  }
};

/** An answer that failed is named by the id that its headers have, so that a support can find it. */
const withRequestId = (
  failure: Failure,
  headers: HttpResponse['headers'],
  { redact }: CallContext,
): Failure => {
  const requestId = answeredId((name) => headers[name]);
  if (requestId === undefined) return failure;
  // The error was made for this attempt, and nothing else has it yet.
  Object.assign(failure.error, { requestId: redact(requestId) });
  return failure;
};

const discard = (late: HttpResponse): void => late.discard();

const requestOf = (
  connection: HttpConnection,
  { method, path, query, headers: ofCall, json, form, streamed }: Endpoint<unknown>,
  own: CheckedHeaders | undefined,
  scope: CallScope,
  { onSent, onProgress }: Transfer,
): HttpRequest => {
  const key = connection.key();
  const headers: Record<string, string> = { accept: '*/*', ...own, ...ofCall };
  if (json !== undefined) headers['content-type'] = 'application/json';
  if (key !== undefined) Object.assign(headers, connection.dialect.authHeaders(key, path));
  return {
    method,
    url: connection.urls.api(path, query),
    headers,
    json,
    form,
    streamed,
    onSent,
    onProgress,
    signal: scope.signal,
  };
};
