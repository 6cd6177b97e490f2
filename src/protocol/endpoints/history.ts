import { isJsonObject } from '../is-json-object.js';
import type { Dialect } from '../dialect.js';
import type { Endpoint } from './endpoint.js';
import type { History } from '../answers/history.js';
import { readHistory } from '../answers/read-history.js';

/**
 * `GET /api/history_v2/{id}`, on a local server `GET /api/history/{id}` (docs/protocol.md, chapters 2 and 11).
 *
 * Where there is no record yet the one answers 404 and the other an empty object; both are read as missing.
 */
export const historyEndpoint = (promptId: string, dialect: Dialect): Endpoint<History> => ({
  method: 'GET',
  path: `/api/${dialect === 'local' ? 'history' : 'history_v2'}/${encodeURIComponent(promptId)}`,
  repeat: 'always',
  promptId,
  read: (json) => readHistory(json, promptId),
  verdict: (json) => (isJsonObject(json) && Object.keys(json).length === 0 ? 'missing' : undefined),
});
