import type { Endpoint } from '../endpoint.js';
import { readNames } from './names.js';

/** `GET /api/extensions`: the scripts that the editor loads (docs/protocol.md, chapter 11). */
export const extensionsEndpoint = (): Endpoint<readonly string[]> => ({
  method: 'GET',
  path: '/api/extensions',
  idempotency: 'always',
  read: readNames,
});
