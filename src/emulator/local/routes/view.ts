import type { Answer } from '../../http/answer.js';
import { createHash } from 'node:crypto';
import { empty, isInside, isPlainName } from '../local-http.js';
import type { LocalHandler, LocalRequest } from '../local-service.js';
import { mediaTypeOf, type StoredFile } from '../../store/file-store.js';
import { type ByteRange, readRange } from '../../http/request.js';
import { uploadByHash } from '../content-hash.js';
import { reducePicture, type Reduction } from '../../store/reduce-picture.js';
import { ServerError } from '../python.js';

/**
 * `GET /view`: the file with range and cache headers, or a picture derived from it (`channel`,
 * `preview`). A preview is WebP, or JPEG on request; the requested quality has no effect.
 */
export const view: LocalHandler = async (request) => {
  const { query } = request;
  const file = await fileOf(request);
  if ('status' in file) return file;
  // The engine's HTTP library takes no header with a line break.
  if (/[\r\n]/u.test(file.filename)) throw new ServerError('Newline or carriage return detected in headers.');
  const disposition = { 'content-disposition': `filename="${file.filename}"` };
  const channel = query.get('channel');
  const preview = query.get('preview');
  if (preview !== null || channel === 'rgb' || channel === 'a') {
    const reduced = reducePicture(
      file.bytes,
      preview === null ? { channel, edge: undefined } : asPreview(preview),
    );
    if (typeof reduced === 'string') throw new ServerError(reduced);
    return {
      status: 200,
      headers: { 'content-type': reduced.mediaType, ...disposition },
      body: reduced.bytes,
    };
  }
  return serve(file, disposition, request);
};

/** The file that a request names, or why it can't be served. */
const fileOf = async ({ query, service }: LocalRequest): Promise<StoredFile | Answer> => {
  const named = query.get('filename');
  if (named === null) return empty(404);
  if (/^blake3:[\da-f]{64}$/u.test(named))
    return (service.settings.switches.assets && (await uploadByHash(service.files, named))) || empty(404);
  const [, filename, annotation] = /^(.*?)(?: \[(output|input|temp)\])?$/s.exec(named) ?? [];
  const type = annotation ?? query.get('type') ?? 'output';
  const subfolder = query.get('subfolder') ?? '';
  if (!filename || !isPlainName(filename) || !['output', 'input', 'temp'].includes(type)) return empty(400);
  if (!isInside(subfolder)) return empty(403);
  return service.files.find(filename, type, subfolder) ?? empty(404);
};

/** Reads `FORMAT;QUALITY`: every format but JPEG gives WebP; at most 1,024 pixels an edge. */
const asPreview = (asked: string): Reduction => ({
  channel: null,
  edge: 1024,
  format: asked.split(';')[0] === 'jpeg' ? 'jpeg' : 'webp',
});

const serve = (
  file: StoredFile,
  disposition: Readonly<Record<string, string>>,
  { headers, service }: LocalRequest,
): Answer => {
  const { bytes, filename } = file;
  const etag = `"${createHash('md5').update(bytes).digest('hex').slice(0, 16)}-${bytes.length.toString(16)}"`;
  const common = {
    ...disposition,
    'content-type': mediaTypeOf(filename).replace(/;.*/u, ''),
    ...(service.settings.facts.guardsViews && guardOf(filename, asText(headers['sec-fetch-dest']))),
    'accept-ranges': 'bytes',
    'last-modified': new Date(service.startedAt).toUTCString(),
    etag,
  };
  if (headers['if-none-match'] === etag) return { status: 304, headers: common };
  // The engine reads a date in If-Range and takes no notice of an ETag there.
  const isStale = service.startedAt > Date.parse(asText(headers['if-range']) ?? '');
  const range = isStale ? 'whole' : readEngineRange(asText(headers['range']), bytes.length);
  if (range === 'whole') return { status: 200, headers: common, body: bytes };
  if (range === 'unsatisfiable') {
    const described = { ...disposition, 'content-type': common['content-type'] };
    return {
      status: 416,
      headers: { ...described, 'content-range': `bytes */${bytes.length}`, 'transfer-encoding': 'chunked' },
    };
  }
  const { start, end } = range;
  return {
    status: 206,
    headers: { ...common, 'content-range': `bytes ${start}-${end}/${bytes.length}` },
    body: bytes.subarray(start, end + 1),
  };
};

/** Media types are not to be guessed, and what a page would run is an attachment; only an `<img>` gets an SVG as it is. */
const guardOf = (filename: string, destination: string | undefined): Readonly<Record<string, string>> => {
  const guarded = { 'x-content-type-options': 'nosniff' };
  if (!active.test(filename)) return guarded;
  const varying = { ...guarded, vary: 'Sec-Fetch-Dest' };
  if (destination === 'image' && /\.svg$/iu.test(filename)) return varying;
  return {
    ...varying,
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename="${filename}"`,
    'cache-control': 'no-store',
  };
};

const active = /\.(?:html?|xhtml|m?js|css|svg|xml)$/iu;

/** A range in another form than `bytes=FROM-TO`, several ranges among them, can't be satisfied. */
const readEngineRange = (header: string | undefined, size: number): ByteRange =>
  header === undefined || /^bytes=(?:\d+-\d*|-\d+)$/u.test(header)
    ? readRange(header, size)
    : 'unsatisfiable';

const asText = (header: string | readonly string[] | undefined): string | undefined =>
  typeof header === 'string' ? header : undefined;
