import { type Answer, refusal } from '../../http/answer.js';
import { createHash } from 'node:crypto';
import type { Handler } from '../handler.js';
import { readRange } from '../../http/request.js';
import type { IncomingMessage } from 'node:http';
import { mediaTypeOf, type StoredFile } from '../../store/file-store.js';
import { reducePicture } from '../../store/reduce-picture.js';
import type { Service } from '../cloud-service.js';

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

/** Serves the file of a signed address, and refuses requests with API headers. */
export const serveSigned = (service: Service, request: IncomingMessage, path: string): Answer => {
  if (request.method !== 'GET' && request.method !== 'HEAD') return storageError(405, 'MethodNotAllowed');
  const unsigned = Object.keys(request.headers).filter(isApiHeader);
  if (unsigned.length > 0 && service.settings.switches.storageHeaders === 'refuses') {
    return storageError(400, 'ExcessHeaderValues', `The signature does not cover ${unsigned.join(', ')}.`);
  }
  const opened = path.startsWith('/signed/')
    ? service.signedUrls.open(path.slice('/signed/'.length))
    : undefined;
  if (!opened) return storageError(403, 'SignatureDoesNotMatch');
  if (opened.expired) return storageError(400, 'ExpiredToken', 'The signed address is past its end.');
  return serveFile(opened.file, request);
};

/** Headers of the API, which the storage must not receive. */
const isApiHeader = (name: string): boolean =>
  ['x-api-key', 'authorization', 'cookie'].includes(name) || /^(x-)?comfy-/.test(name);

const serveFile = (
  { bytes, filename, mediaType = mediaTypeOf(filename) }: StoredFile,
  request: IncomingMessage,
): Answer => {
  const etag = `"${createHash('md5').update(bytes).digest('hex')}"`;
  const headers = { etag, 'accept-ranges': 'bytes', 'content-type': mediaType };
  if (request.headers['if-none-match'] === etag) return { status: 304, headers };
  const stale = request.headers['if-range'] !== undefined && request.headers['if-range'] !== etag;
  const range = stale ? 'whole' : readRange(request.headers.range, bytes.length);
  if (range === 'whole') return { status: 200, headers, body: bytes };
  if (range === 'unsatisfiable') {
    return { ...storageError(416, 'InvalidRange'), headers: { 'content-range': `bytes */${bytes.length}` } };
  }
  const { start, end } = range;
  const contentRange = { 'content-range': `bytes ${start}-${end}/${bytes.length}` };
  return { status: 206, headers: { ...headers, ...contentRange }, body: bytes.subarray(start, end + 1) };
};

/** An error in the format of object storage. */
const storageError = (status: number, code: string, details = ''): Answer => ({
  status,
  headers: { 'content-type': 'application/xml; charset=UTF-8' },
  body: `<?xml version='1.0' encoding='UTF-8'?><Error><Code>${code}</Code><Message>${details || code}</Message></Error>`,
});
