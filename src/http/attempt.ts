import { type CallContext, type Failure, failureOf } from './failure.js';
import type { CallScope } from './call-scope.js';
import type { CheckedHeaders } from './own-headers.js';
import * as E from '../protocol/either.js';
import type { Endpoint } from '../endpoints/endpoint.js';
import type { HttpConnection } from './connection.js';
import type { HttpRequest, HttpResponse } from '../platform/platform.js';

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
  let sent = false;
  try {
    if (scope.ending() !== undefined) return E.left(failureOf(undefined, scope, false, context));
    const own = connection.headers?.();
    if (own !== undefined && E.isLeft(own)) return E.left({ error: own.left, delivery: 'unsent' });
    const onSent = (): void => {
      sent = true;
    };
    const answer = connection.platform.request(requestOf(connection, endpoint, own?.right, scope, onSent));
    // An answer begins only once the whole upload is there. Set after the request: each microsecond before it delays it.
    scope.patient(endpoint.form === undefined ? undefined : Infinity);
    const response = await scope.race(answer, discard);
    sent = true;
    return await handle(response, scope, context);
  } catch (cause) {
    return E.left(failureOf(cause, scope, sent, context));
  }
};

const discard = (late: HttpResponse): void => late.discard();

const requestOf = (
  connection: HttpConnection,
  { method, path, query, headers: ofCall, json, form, streamed }: Endpoint<unknown>,
  own: CheckedHeaders | undefined,
  scope: CallScope,
  onSent: () => void,
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
    signal: scope.signal,
  };
};
