import type { ServiceError } from '../../core/errors/errors.js';

/** Whether a 401 or 404 comes in the envelope of API v2, `error` with a `code` (docs/protocol.md, chapter 12.2). */
export const isEnvelope = ({ status, sample = '' }: ServiceError): boolean =>
  (status === 401 || status === 404) && /^\s*\{\s*"error"\s*:\s*\{[^]*"code"\s*:\s*"[a-z_]+"/u.test(sample);
