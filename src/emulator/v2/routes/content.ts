import { createHash } from 'node:crypto';
import { fileOf } from '../asset-store.js';
import { envelope } from '../envelope.js';
import { missing } from '../refusals.js';
import { readRange } from '../../http/request.js';
import type { V2Handler } from '../v2-service.js';

/** `GET /assets/{id}/content`: 302 to a signed address, or the bytes. */
export const getContent: V2Handler = ({ service, account, params, request }) => {
  const asset = account.assets.get(params[0] ?? '');
  if (!asset) return missing(service, 'asset');
  const { bytes, contentType } = asset;
  const { settings, signedUrls } = service.base;
  if (settings.switches.content === 'redirect') {
    const location = signedUrls.sign(fileOf(asset));
    return { status: 302, headers: { location } };
  }
  const etag = `"${createHash('md5').update(bytes).digest('hex')}"`;
  const headers = { etag, 'accept-ranges': 'bytes', 'content-type': contentType };
  const stale = request.headers['if-range'] !== undefined && request.headers['if-range'] !== etag;
  const range = stale ? 'whole' : readRange(request.headers.range, bytes.length);
  if (range === 'whole') return { status: 200, headers, body: bytes };
  if (range === 'unsatisfiable') {
    return envelope(416, 'range_not_satisfiable', 'The range begins behind the end.', {
      headers: { 'content-range': `bytes */${bytes.length}` },
    });
  }
  const { start, end } = range;
  const contentRange = { 'content-range': `bytes ${start}-${end}/${bytes.length}` };
  return { status: 206, headers: { ...headers, ...contentRange }, body: bytes.subarray(start, end + 1) };
};
