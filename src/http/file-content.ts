import * as E from '../protocol/either.js';
import type { ServiceError } from '../protocol/errors/errors.js';
import type { HttpResponse } from '../socket/platform.js';
import { downloadFailed } from './download-failed.js';
import { fileBody, type FileBodyOptions } from './file-body.js';
import { fileExtent } from './file-extent.js';
import type { FileContent, ResumePoint } from './rest.js';

/** What is needed to read an answer as a file. */
export interface FileContentOptions extends FileBodyOptions {
  readonly resume?: ResumePoint | undefined;
}

/**
 * Makes a file of an answer with status 200 or 206, its body still to come (see {@link fileBody} for what it throws).
 *
 * Left is `DownloadFailed` for an encoded body, whose length could not be checked, and for a part that does not go on
 * where `resume` says or is of other bytes (docs/protocol.md, chapter 8).
 */
export const fileContent = (
  response: HttpResponse,
  options: FileContentOptions,
): E.Either<ServiceError, FileContent> => {
  const { scope, filename, context, resume } = options;
  const { headers, status } = response;
  const discard = (): void => {
    scope.release();
    response.discard();
  };
  const refuse = (reason: string): E.Either<ServiceError, FileContent> => {
    discard();
    return E.left(downloadFailed(filename, reason, context, status));
  };
  if (!/^(?:identity)?$/iu.test(headers['content-encoding']?.trim() ?? '')) {
    return refuse('its body is compressed although that was not asked for');
  }
  const extent = fileExtent(response, resume);
  if (extent === undefined) return refuse('the storage sent another part than was asked for');
  scope.hold();
  const { offset, length, size, etag } = extent;
  return E.right({
    mediaType: (headers['content-type'] ?? 'application/octet-stream').split(';', 1)[0]?.trim() ?? '',
    offset,
    ...(size === undefined ? {} : { size }),
    ...(etag === undefined ? {} : { etag }),
    body: fileBody(response, length, options, discard),
    discard,
  });
};
