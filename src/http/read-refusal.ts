import type { Endpoint } from '../protocol/endpoints/endpoint.js';
import type { HttpResponse } from '../socket/platform.js';
import type { CallScope } from './call-scope.js';
import type { HttpConnection } from './connection.js';
import type { CallContext, Failure } from './failure.js';
import { readText } from './read-text.js';
import { refusal } from './refusal.js';

/** Reads a refusal's body and types it. */
export const readRefusal = async (
  connection: HttpConnection,
  endpoint: Endpoint<unknown>,
  response: HttpResponse,
  scope: CallScope,
  context: CallContext,
): Promise<Failure> => {
  const { text } = await readText(response, scope, maxErrorBytes);
  return refusal(connection, endpoint, response, text, context);
};

const maxErrorBytes = 64 * 1024;
