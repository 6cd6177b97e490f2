import * as E from '../protocol/either.js';
import type { Endpoint } from './endpoint.js';

/** `POST /api/jobs/cancel`: cancels these jobs, or none where the server does not take one of the ids (docs/protocol.md, chapters 2.13, 11). */
export const cancelJobsEndpoint = (promptIds: readonly string[]): Endpoint<void> => ({
  method: 'POST',
  path: '/api/jobs/cancel',
  json: JSON.stringify({ job_ids: promptIds }),
  idempotency: 'always',
  read: () => E.right(undefined),
});
