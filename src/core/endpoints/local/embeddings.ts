import type { Endpoint } from '../endpoint.js';
import { readNames } from './names.js';

/** `GET /api/embeddings`: the names that prompts use, without the extensions of their files (docs/protocol.md, chapter 11). */
export const embeddingsEndpoint = (): Endpoint<readonly string[]> => ({
  method: 'GET',
  path: '/api/embeddings',
  idempotency: 'always',
  read: readNames,
});
