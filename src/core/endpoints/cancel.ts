import * as E from '../protocol/either.js';
import type { Endpoint } from './endpoint.js';
import { isJsonObject } from '../protocol/json/json.js';

/** What a deletion from the queue answers; `deleted` is absent if the service does not say. */
export interface Cancellation {
  /** The ids that were deleted. */
  readonly deleted?: readonly string[];
}

/** `POST /api/queue` with ids to delete; an empty body is a success (docs/protocol.md, chapter 2). */
export const cancelEndpoint = (promptIds: readonly string[]): Endpoint<Cancellation> => ({
  method: 'POST',
  path: '/api/queue',
  json: JSON.stringify({ delete: promptIds }),
  idempotency: 'always',
  promptId: promptIds.length === 1 ? promptIds[0] : undefined,
  read: (json) => E.right(readDeleted(json)),
});

const readDeleted = (json: unknown): Cancellation => {
  const { deleted } = isJsonObject(json) ? json : {};
  return Array.isArray(deleted)
    ? { deleted: deleted.filter((id): id is string => typeof id === 'string') }
    : {};
};
