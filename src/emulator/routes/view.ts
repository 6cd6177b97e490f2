import { refusal } from '../http/answer.js';
import type { Handler } from '../http/api-request.js';
import { reducePicture } from '../store/reduce-picture.js';

/** `GET /api/view`: 302 to a signed address; the picture itself only where `channel` or `res` asks for another one. */
export const view: Handler = ({ service, account, query }) => {
  const filename = query.get('filename');
  if (!filename) return refusal(400, 'BAD_REQUEST', 'The query has no `filename`.');
  const file = account.files.find(filename, query.get('type') ?? 'output', query.get('subfolder') ?? '');
  if (!file) return refusal(404, 'NOT_FOUND', 'There is no such file.');
  const channel = query.get('channel');
  const res = query.get('res');
  if (channel === null && res === null) {
    return { status: 302, headers: { location: service.signedUrls.sign(file) } };
  }
  const reduced = reducePicture(file.bytes, { channel, edge: res === null ? undefined : Number(res) });
  return typeof reduced === 'string'
    ? refusal(400, 'BAD_REQUEST', reduced)
    : { status: 200, headers: { 'content-type': reduced.mediaType }, body: reduced.bytes };
};
