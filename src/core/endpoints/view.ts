import * as E from '../protocol/either.js';
import type { Endpoint } from './endpoint.js';
import type { FileRef } from '../protocol/file-ref.js';

/** What a view may ask for instead of the file itself. */
export interface ViewFields {
  readonly channel?: string;
  readonly res?: number;
}

/** `GET /api/view`: where a file can be fetched from, or its bytes (docs/protocol.md, chapter 8). */
export const viewEndpoint = (
  { filename, subfolder = '', type = 'output' }: FileRef,
  { channel, res }: ViewFields = {},
): Endpoint<unknown> => ({
  method: 'GET',
  path: '/api/view',
  query: {
    filename,
    subfolder,
    type,
    ...(channel === undefined ? {} : { channel }),
    ...(res === undefined ? {} : { res: String(res) }),
  },
  idempotency: 'always',
  streamed: true,
  mayAppearLate: true,
  read: E.right,
});
