import type { Endpoint } from '../protocol/endpoints/endpoint.js';
import type { HttpResponse } from '../socket/platform.js';
import type { CallScope } from './call-scope.js';
import type { HttpConnection } from './connection.js';
import type { CallContext, Failure } from './failure.js';
import { readText } from './read-text.js';
import { refusal } from './refusal.js';

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
