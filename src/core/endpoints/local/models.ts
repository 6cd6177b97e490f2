import type { Endpoint } from '../endpoint.js';
import { pathPart } from '../../protocol/path-part.js';
import { readNames } from './names.js';

/** `GET /api/models`, or of one folder `GET /api/models/{folder}`: its files (docs/protocol.md, chapter 11). */
export const modelsEndpoint = (folder?: string): Endpoint<readonly string[]> => ({
  method: 'GET',
  path: folder === undefined ? '/api/models' : `/api/models/${pathPart(folder)}`,
  idempotency: 'always',
  read: readNames,
});
