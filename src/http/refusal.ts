import type { CallContext, Failure } from './failure.js';
import type { CallScope } from './call-scope.js';
import type { Endpoint } from '../endpoints/endpoint.js';
import { errorFromResponse } from '../errors/from-response.js';
import type { HttpConnection } from './connection.js';
import type { HttpResponse } from '../platform/platform.js';
import { readText } from './read-text.js';
import type { ServiceError } from '../errors/errors.js';

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

/** Reads a refusal's body, or what comes of it within 5 s, and types it: the status alone says no already. */
export const readRefusal = async (
  connection: HttpConnection,
  endpoint: Endpoint<unknown>,
  response: HttpResponse,
  scope: CallScope,
  context: CallContext,
): Promise<Failure> => {
  scope.patient(bodyWithinMs);
  const { text } = await readText(response, scope, { maxBytes: maxErrorBytes, evenCut: true });
  return refusal(connection, endpoint, response, text, context);
};

const bodyWithinMs = 5_000;
const maxErrorBytes = 64 * 1024;

/** What a refusal means and what to do about it, where it has other words than those of its status. */
export interface RefusalWords {
  readonly message?: string;
  readonly hint?: string;
}

/** The words of a refusal that the client's own options explain better than its status does. */
const refusalWords = (
  { dialect, urls }: Pick<HttpConnection, 'dialect' | 'urls'>,
  { path, repeat }: Pick<Endpoint<unknown>, 'path' | 'repeat'>,
  status: number,
): RefusalWords => {
  if (status === 404 && urls.endsInApi) {
    return { hint: 'baseUrl ends in /api, and /api is added to it: leave it out of baseUrl.' };
  }
  if (status === 404 && (path === '/api/user' || repeat === 'submission')) {
    return {
      hint:
        dialect === 'local' && path === '/api/user'
          ? 'A local server has no accounts, and so no such route.'
          : "There is no such route at this address: check baseUrl, and for a local server set dialect: 'local'.",
    };
  }
  if (dialect !== 'local') return {};
  if (status === 401) {
    return {
      message: "The server asks for a key (401), and with dialect: 'local' none is sent.",
      hint: "For a cloud service leave dialect out, or set dialect: 'cloud' (the command: --dialect cloud).",
    };
  }
  // Files have a 403 of their own, for folders that may not be read.
  return status === 403 && path !== '/api/view'
    ? {
        message: 'The server refuses this page (403): Origin and Host of the request differ.',
        hint: 'Reach the server by a proxy that sends one Origin and Host (docs/guide/browser.md), or start it with --enable-cors-header.',
      }
    : {};
};
