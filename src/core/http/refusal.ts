import type { CallContext, Failure } from './failure.js';
import type { CallScope } from './call-scope.js';
import type { Endpoint } from '../endpoints/endpoint.js';
import { errorFromResponse } from '../errors/from-response.js';
import type { HttpConnection } from './connection.js';
import type { HttpResponse } from '../platform/platform.js';
import { readText } from './read-text.js';
import type { ServiceError } from '../errors/errors.js';

/** The failure of an answer that is no success. */
export const refusal = (
  connection: HttpConnection,
  call: Endpoint<unknown>,
  { status, headers }: Pick<HttpResponse, 'status' | 'headers'>,
  body: string,
  { endpoint, promptId, redact, sentOrigin = false }: CallContext,
): Failure => {
  const error = errorFromResponse(
    { endpoint, status, headers, body },
    {
      wallMs: connection.platform.clock.wall(),
      redact,
      promptId,
      words: (errorType) =>
        status === 404 && connection.urls.missingRouteHint !== undefined
          ? { hint: connection.urls.missingRouteHint }
          : connection.dialect.explainRefusal(call, status, errorType, sentOrigin || isPage(connection)),
      untyped429: connection.dialect.untyped429,
      untyped402: connection.dialect.untyped402,
    },
  );
  return {
    error,
    delivery: mayHaveActed(error, call.idempotency, connection.dialect) ? 'unclear' : 'refused',
  };
};

/** A platform that hides where redirects lead is a page, whose browser sends an origin. */
const isPage = ({ signedFile }: HttpConnection): boolean => signedFile === undefined;

/**
 * A failing service that gives a reason and a `Retry-After` did nothing where the dialect says so; any other failure may have
 * acted first. A key that is used was used by an earlier request of the same submission.
 */
const mayHaveActed = (
  { _tag, status, retryAfterMs, errorType }: ServiceError,
  idempotency: string,
  { refusesBy503 }: HttpConnection['dialect'],
): boolean => {
  const isClear503 = idempotency === 'always' || (errorType !== undefined && refusesBy503);
  return (
    status === 408 ||
    (_tag === 'ServerError' && !(status === 503 && retryAfterMs !== undefined && isClear503)) ||
    (idempotency === 'submission' && errorType === keyReuse)
  );
};

/** The service's word for an `Idempotency-Key` that an earlier request has used (docs/protocol.md, chapter 12.4). */
export const keyReuse = 'idempotency_key_reuse';

/** Reads a refusal's body, or the part that arrives within 5 s, and makes the failure: the status alone is a refusal already. */
export const readRefusal = async (
  connection: HttpConnection,
  endpoint: Endpoint<unknown>,
  response: HttpResponse,
  scope: CallScope,
  context: CallContext,
): Promise<Failure> => {
  scope.patient(bodyWithinMs);
  const isJson = json.test(response.headers['content-type'] ?? '');
  const maxBytes = isJson ? maxJsonBytes : maxPageBytes;
  const { text } = await readText(response, scope, { maxBytes, acceptPartial: true });
  return refusal(connection, endpoint, response, text, context);
};

const bodyWithinMs = 5_000;
/** A refused workflow has half a KiB for each node that is wrong, and often a list of choices; of a page the beginning is enough. */
const [maxJsonBytes, maxPageBytes] = [4 * 1024 * 1024, 64 * 1024];
const json = /^application\/(?:[\w.-]+\+)?json\b/iu;
