import * as E from '../either.js';
import type { Endpoint } from './endpoint.js';

/** What a deletion from the queue answers; `deleted` is absent where the service does not say. */
export interface Cancellation {
  readonly deleted?: readonly string[];
}

/** `POST /api/queue` with ids to delete; an empty body is a success (docs/protocol.md, chapter 2). */
export const cancelEndpoint = (promptIds: readonly string[]): Endpoint<Cancellation> => ({
  name: 'cancel',
  method: 'POST',
  path: '/api/queue',
  json: JSON.stringify({ delete: promptIds }),
  repeat: 'always',
  ...(promptIds.length === 1 ? { promptId: promptIds[0] } : {}),
  read: (json) => E.right(readDeleted(json)),
});

const readDeleted = (json: unknown): Cancellation => {
  const deleted: unknown =
    typeof json === 'object' && json !== null && 'deleted' in json ? json.deleted : undefined;
  return Array.isArray(deleted)
    ? { deleted: deleted.filter((id): id is string => typeof id === 'string') }
    : {};
};
