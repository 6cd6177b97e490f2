import { downloadFailed, fileBody, type FileBodyOptions } from './file-body.js';
import * as E from '../protocol/either.js';
import type { FileBytes } from './rest-options.js';
import { mediaTypeOfName } from '../protocol/media-type.js';
import type { HttpResponse } from '../platform/platform.js';
import type { ServiceError } from '../errors/errors.js';

/**
 * Makes a file of an answer with status 200 or 206, its body still to come (see {@link fileBody} for what it throws).
 *
 * Left is `DownloadFailed` for an encoded body, whose length could not be checked (docs/protocol.md, chapter 8).
 */
export const fileContent = (
  response: HttpResponse,
  { offset, length, size, etag }: FileExtent,
  options: FileBodyOptions,
): E.Either<ServiceError, FileBytes> => {
  const { scope, filename, isDerived, context } = options;
  const { headers, status } = response;
  const discard = (): void => {
    scope.release();
    response.discard();
  };
  if (!/^(?:identity)?$/iu.test(headers['content-encoding']?.trim() ?? '')) {
    discard();
    const reason = 'its body is compressed although that was not asked for';
    return E.left(downloadFailed(filename, reason, context, { status }));
  }
  scope.hold();
  return E.right({
    mediaType:
      (isDerived === true ? typeOf(headers['content-type']) : mediaTypeOfName(filename)) ?? unknownType,
    offset,
    ...(size === undefined ? {} : { size }),
    ...(etag === undefined ? {} : { etag }),
    body: fileBody(response, length, options, discard),
    discard,
  });
};

/** Without parameters, such as the encoding of a text. */
const typeOf = (header: string | undefined): string | undefined => header?.split(';', 1).join().trim();

const unknownType = 'application/octet-stream';

/** Which bytes of a file an answer has. */
export interface FileExtent {
  readonly offset: number;
  /** Bytes of the body, where the storage announces them. */
  readonly length?: number;
  /** Bytes of the whole file, where the storage announces them. */
  readonly size?: number;
  readonly etag?: string;
}

/** The extent of an answer with the whole file, as far as its headers announce it. */
export const wholeExtent = ({ headers }: Pick<HttpResponse, 'headers'>): FileExtent => {
  const length = digits(headers['content-length']);
  const etag = headers['etag'];
  return {
    offset: 0,
    ...(length !== undefined && { length, size: length }),
    ...(isStrongEtag(etag) && { etag }),
  };
};

/** Whether an ETag is strong: a weak one (`W/"…"`) also names bytes that only mean the same, so a file can't be resumed by it. */
export const isStrongEtag = (etag: string | undefined): etag is string =>
  etag !== undefined && etag.length <= 1024 && /^"[!#-~]*"$/u.test(etag);

/** Reads a header of digits; undefined for anything else. */
export const digits = (text: string | undefined): number | undefined => {
  const value = text !== undefined && /^\d+$/u.test(text) ? Number(text) : NaN;
  return Number.isSafeInteger(value) ? value : undefined;
};
