import * as E from '../protocol/either.js';
import type { Endpoint } from './endpoint.js';

/**
 * `POST /api/interrupt`: ends one running job by its id, or without an id every running job of the account.
 *
 * Never repeated: a second one could hit the next job (docs/protocol.md, chapter 2).
 */
export const interruptEndpoint = (promptId?: string): Endpoint<void> => ({
  method: 'POST',
  path: '/api/interrupt',
  ...(promptId === undefined ? {} : { json: JSON.stringify({ prompt_id: promptId }), promptId }),
  idempotency: 'never',
  read: () => E.right(undefined),
});
