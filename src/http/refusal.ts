import type { Endpoint } from '../protocol/endpoints/endpoint.js';
import { errorFromResponse } from '../protocol/errors/error-from-response.js';
import type { ServiceError } from '../protocol/errors/errors.js';
import type { HttpResponse } from '../socket/platform.js';
import type { HttpConnection } from './connection.js';
import type { CallContext, Failure } from './failure.js';
import { refusalWords } from './refusal-words.js';

/** The failure that an answer other than a success is, and where it leaves the service. */
export const refusal = (
  connection: HttpConnection,
  call: Endpoint<unknown>,
  { status, headers }: Pick<HttpResponse, 'status' | 'headers'>,
  body: string,
  { endpoint, promptId, redact }: CallContext,
): Failure => {
  const error = errorFromResponse(
    { endpoint, status, headers, body },
    {
      wallMs: connection.platform.clock.wall(),
      redact,
      promptId,
      words: refusalWords(connection, call, status),
    },
  );
  return { error, standing: mayHaveActed(error, call.repeat) ? 'unclear' : 'refused' };
};

/** A failing service that asks to come back later and says why did nothing; any other failure may have acted first. */
const mayHaveActed = ({ _tag, status, retryAfterMs, errorType }: ServiceError, repeat: string): boolean =>
  status === 408 ||
  (_tag === 'ServerError' &&
    !(status === 503 && retryAfterMs !== undefined && (repeat === 'always' || errorType !== undefined)));
