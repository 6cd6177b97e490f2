import type { HttpResponse } from '../socket/platform.js';
import { digits, type FileExtent, isStrongEtag, wholeExtent } from './file-extent.js';
import type { ResumePoint } from './rest.js';

/** Without a name for exactly these bytes, or without any of them, the whole file is asked for. */
export const canResume = ({ offset, etag }: ResumePoint): boolean =>
  Number.isSafeInteger(offset) && offset > 0 && isStrongEtag(etag);

/** The extent of an answer with status 206; undefined where it is not the rest of the file that `resume` names. */
export const partExtent = (
  { headers }: Pick<HttpResponse, 'headers'>,
  resume: ResumePoint,
): FileExtent | undefined => {
  const [, first, last, total] = headers['content-range']?.match(/^bytes (\d+)-(\d+)\/(\d+)$/u) ?? [];
  const [start, end, size] = [digits(first), digits(last), digits(total) ?? NaN];
  if (start !== resume.offset || end !== size - 1 || headers['etag'] !== resume.etag) return undefined;
  return { ...wholeExtent({ headers }), offset: start, length: size - start, size };
};
