import { pathPart } from '../protocol/path-part.js';
import * as E from '../protocol/either.js';
import type { Endpoint } from './endpoint.js';

/** `DELETE /api/jobs/{id}`: the job with its files (docs/protocol.md, chapter 2.13). */
export const deleteJobEndpoint = (promptId: string): Endpoint<void> => ({
  ...deletion(`/api/jobs/${pathPart(promptId)}`),
  promptId,
});

/** `DELETE` of one asset. */
export const deleteAssetEndpoint = (path: string): Endpoint<void> => deletion(path);

/** `POST /api/history` with an id to delete (docs/protocol.md, chapter 11). */
export const deleteRecordEndpoint = (promptId: string): Endpoint<void> => ({
  method: 'POST',
  path: '/api/history',
  json: JSON.stringify({ delete: [promptId] }),
  idempotency: 'always',
  promptId,
  read: () => E.right(undefined),
});

const deletion = (path: string): Endpoint<void> => ({
  method: 'DELETE',
  path,
  idempotency: 'always',
  read: () => E.right(undefined),
});
