import * as E from '../protocol/either.js';
import type { Endpoint } from './endpoint.js';
import { isJsonObject } from '../protocol/json/json.js';

/** `GET /api/features`: what the server, or the account there, can do (docs/protocol.md, 2.11). */
export const featuresEndpoint = (): Endpoint<Features> => ({
  method: 'GET',
  path: '/api/features',
  idempotency: 'always',
  read: (json) => (isJsonObject(json) ? E.right(json) : E.left('the features are no object')),
});

/** What a service tells of itself: an open object, of which any member may be absent. */
export interface Features {
  /** The largest upload, in bytes. */
  readonly max_upload_size?: number;
  /** False: a run with partner nodes is refused. True: this gate does not refuse it, others may. Absent: unknown. */
  readonly can_run_partner_nodes?: boolean;
  /** Members that vary by service, as sent. */
  readonly [member: string]: unknown;
}
