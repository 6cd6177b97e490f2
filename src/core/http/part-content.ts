import { digits, fileContent, type FileExtent, isStrongEtag, wholeExtent } from './file-content.js';
import { downloadFailed, type FileBodyOptions } from './file-body.js';
import * as E from '../protocol/either.js';
import type { FileBytes, ResumePoint } from './rest-options.js';
import type { HttpResponse } from '../platform/platform.js';
import type { ServiceError } from '../errors/errors.js';

/** Whether the rest alone can be asked for: some bytes are there, and a strong ETag names them. */
export const canResume = ({ offset, etag }: ResumePoint): boolean =>
  Number.isSafeInteger(offset) && offset > 0 && isStrongEtag(etag);

/** Makes a file of an answer with status 206. Left is `DownloadFailed` also where it is not the rest that `resume` asks for. */
export const partContent = (
  response: HttpResponse,
  resume: ResumePoint,
  options: FileBodyOptions,
): E.Either<ServiceError, FileBytes> => {
  const extent = partExtent(response, resume);
  if (extent !== undefined) return fileContent(response, extent, options);
  options.scope.release();
  response.discard();
  const reason = 'the storage sent another part than was asked for';
  return E.left(downloadFailed(options.filename, reason, options.context, { status: response.status }));
};

/** The headers that ask for the rest of a file, on condition that it is still the same. */
export const rangeOf = (resume: ResumePoint | undefined): Readonly<Record<string, string>> =>
  resume === undefined ? {} : { range: `bytes=${resume.offset}-`, 'if-range': resume.etag };

/** The extent of an answer with status 206; undefined if it is not the rest of the file that `resume` names. */
export const partExtent = (
  { headers }: Pick<HttpResponse, 'headers'>,
  resume: ResumePoint,
): FileExtent | undefined => {
  const [, first, last, total] = headers['content-range']?.match(/^bytes (\d+)-(\d+)\/(\d+)$/u) ?? [];
  const [start, end, size] = [digits(first), digits(last), digits(total) ?? NaN];
  if (start !== resume.offset || end !== size - 1 || headers['etag'] !== resume.etag) return undefined;
  return { ...wholeExtent({ headers }), offset: start, length: size - start, size };
};
