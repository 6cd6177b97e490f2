import * as E from '../protocol/either.js';
import type { ServiceError } from '../protocol/errors/errors.js';
import type { HttpResponse } from '../socket/platform.js';
import { downloadFailed } from './download-failed.js';
import { fileBody, type FileBodyOptions } from './file-body.js';
import type { FileExtent } from './file-extent.js';
import type { FileBytes } from './rest.js';

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
  const { scope, filename, context } = options;
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
    mediaType: (headers['content-type'] ?? 'application/octet-stream').split(';', 1)[0]?.trim() ?? '',
    offset,
    ...(size === undefined ? {} : { size }),
    ...(etag === undefined ? {} : { etag }),
    body: fileBody(response, length, options, discard),
    discard,
  });
};
