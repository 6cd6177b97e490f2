import { base64 } from '../../joblog/base64.js';

/** A strong entity tag of bytes (RFC 9110, section 8.8.3). */
export const etagOf = async (bytes: Uint8Array<ArrayBuffer>): Promise<string> => {
  const digest = await crypto.subtle.digest('SHA-256', bytes);
  return `"${base64(new Uint8Array(digest).subarray(0, 15))}"`;
};

/** Whether `If-None-Match` names the tag, so that the caller has these bytes; tags are compared weakly, as proxies weaken those of what they compress. */
export const isKnownTo = ({ headers }: Pick<Request, 'headers'>, etag: string): boolean =>
  (headers.get('if-none-match') ?? '')
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//u, ''))
    .some((tag) => tag === '*' || tag === etag);
