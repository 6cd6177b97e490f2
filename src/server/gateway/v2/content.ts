import { bytesInRange, readRange } from './range.js';
import type { FileContent, ViewOptions } from '../../../core/http/rest-options.js';
import { pathPart } from '../../../core/protocol/path-part.js';

/** The file is shorter than the range demands. */
export interface Unsatisfiable {
  readonly size: number;
}

/** What a file is called, and what it holds. */
export interface ContentNames {
  readonly name: string;
  readonly contentType: string;
}

/**
 * Answers with the bytes of a file as the service sends them, or with the range that the request asks for; nothing is read ahead of
 * the caller. Without a size of the whole file there are no ranges: the whole file is an answer to each of them.
 *
 * What a node made is served as what it is and runs nothing: a page among the outputs would else act on the gateway's origin.
 */
export const contentResponse = (
  request: Request,
  content: FileContent,
  { name, contentType }: ContentNames,
): Response | Unsatisfiable => {
  const { size, etag } = content;
  const headers = new Headers({
    'content-type': content.mediaType === 'application/octet-stream' ? contentType : content.mediaType,
    'content-disposition': `inline; filename*=UTF-8''${encodeName(name)}`,
    'content-security-policy': "sandbox; default-src 'none'",
    'cache-control': 'private, no-cache',
    ...(size !== undefined && { 'accept-ranges': 'bytes' }),
    ...(etag !== undefined && { etag }),
  });
  const ifRange = request.headers.get('if-range');
  const isStale = ifRange !== null && ifRange !== etag;
  const range = size === undefined || isStale ? 'whole' : readRange(request.headers.get('range'), size);
  if (range === 'unsatisfiable') {
    content.discard();
    return { size: size ?? 0 };
  }
  if (range === 'whole') {
    if (size !== undefined) headers.set('content-length', String(size));
    return new Response(content.stream(), { headers });
  }
  const { start, end } = range;
  headers.set('content-length', String(end - start + 1));
  headers.set('content-range', `bytes ${start}-${end}/${size ?? '*'}`);
  const { offset = 0 } = content;
  const sent = { start: start - offset, end: end - offset };
  return new Response(streamOf(bytesInRange(content.body, sent), content.discard), { status: 206, headers });
};

/**
 * From where on the service has to send a file for the range that the request asks for; undefined for the beginning.
 *
 * The service is asked on condition that the file is still the one with this ETag: that of the caller, or the one that was seen last.
 */
export const resumeFor = (
  { headers }: Pick<Request, 'headers'>,
  { size, etag }: Pick<FileContent, 'size' | 'etag'>,
): ViewOptions['resume'] => {
  const condition = headers.get('if-range') ?? etag;
  const range = readRange(headers.get('range'), size ?? Number.MAX_SAFE_INTEGER);
  const isSuffix = size === undefined && /^bytes=\s*-/iu.test(headers.get('range') ?? '');
  if (condition === undefined || typeof range === 'string' || range.start === 0 || isSuffix) return undefined;
  return { offset: range.start, etag: condition };
};

const encodeName = (name: string): string =>
  pathPart(name).replaceAll(/['()*]/gu, (character) => `%${character.charCodeAt(0).toString(16)}`);

/** Takes a chunk only when the caller reads one. */
const streamOf = (
  bytes: AsyncGenerator<Uint8Array, void>,
  discard: () => void,
): ReadableStream<Uint8Array<ArrayBuffer>> =>
  new ReadableStream(
    {
      pull: async (controller) => {
        const { done, value } = await bytes.next();
        if (done === true) controller.close();
        else controller.enqueue(value as Uint8Array<ArrayBuffer>);
      },
      // A generator that never started runs no `finally`.
      cancel: discard,
    },
    { highWaterMark: 0 },
  );
