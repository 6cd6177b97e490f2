import type { Endpoint } from './endpoint.js';
import type { ObjectInfo } from '../answers/object-info.js';
import { readObjectInfo } from '../answers/read-object-info.js';

/** `GET /api/object_info`, of all node classes or of one; several megabytes (docs/protocol.md, chapter 2). */
export const objectInfoEndpoint = (nodeClass?: string): Endpoint<ObjectInfo> => ({
  method: 'GET',
  path: nodeClass === undefined ? '/api/object_info' : `/api/object_info/${encodeURIComponent(nodeClass)}`,
  repeat: 'always',
  maxBytes: 32 * 1024 * 1024,
  inPieces: true,
  read: readObjectInfo,
});
