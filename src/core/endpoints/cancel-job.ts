import { pathPart } from '../protocol/path-part.js';
import * as E from '../protocol/either.js';
import type { Endpoint } from './endpoint.js';
import { isJsonObject } from '../protocol/json/json.js';

/** `POST /api/jobs/{id}/cancel`: whether the job was there to be cancelled (docs/protocol.md, chapters 2.13 and 11). */
export const cancelJobEndpoint = (promptId: string): Endpoint<boolean> => ({
  method: 'POST',
  path: `/api/jobs/${pathPart(promptId)}/cancel`,
  idempotency: 'always',
  promptId,
  read: (json) =>
    isJsonObject(json) && typeof json['cancelled'] === 'boolean'
      ? E.right(json['cancelled'])
      : E.left('the answer does not say whether the job is cancelled'),
});
