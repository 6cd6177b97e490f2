import * as E from '../protocol/either.js';
import type { Endpoint } from './endpoint.js';
import { isJsonObject } from '../protocol/json/json.js';

/** `GET /api/node_replacements`: which classes the service replaces, as sent (docs/protocol.md, chapter 2.14). */
export const nodeReplacementsEndpoint = (): Endpoint<Readonly<Record<string, unknown>>> => ({
  method: 'GET',
  path: '/api/node_replacements',
  idempotency: 'always',
  read: (json) => (isJsonObject(json) ? E.right(json) : E.left('the replacements are no object')),
});
