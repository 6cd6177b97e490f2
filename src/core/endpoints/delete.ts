import { pathPart } from '../protocol/path-part.js';
import * as E from '../protocol/either.js';
import type { Endpoint } from './endpoint.js';
import { isJsonObject } from '../protocol/json/json.js';

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

/** A file of a job, as the service keeps it. */
export interface JobAsset {
  readonly id: string;
  readonly name: string;
}

/** `GET /api/jobs/{id}/assets`: the files of a job, at most 500 of them. */
export const jobAssetsEndpoint = (promptId: string): Endpoint<readonly JobAsset[]> => ({
  method: 'GET',
  path: `/api/jobs/${pathPart(promptId)}/assets`,
  query: { limit: '500' },
  idempotency: 'always',
  promptId,
  read: (json) =>
    isJsonObject(json) && Array.isArray(json['assets'])
      ? E.right((json['assets'] as readonly unknown[]).filter(isAsset))
      : E.left('the answer lists no assets'),
});

const isAsset = (value: unknown): value is JobAsset =>
  isJsonObject(value) && typeof value['id'] === 'string' && typeof value['name'] === 'string';
