import type { HttpResponse } from '../socket/platform.js';
import type { ResumePoint } from './rest.js';

/** Which bytes of a file an answer has. */
export interface FileExtent {
  readonly offset: number;
  /** Bytes of the body, where the storage told. */
  readonly length?: number;
  /** Bytes of the whole file, where the storage told. */
  readonly size?: number;
  readonly etag?: string;
}

/** Reads it from an answer's headers; undefined where the part is not the rest of the file that `resume` names. */
export const fileExtent = (
  { status, headers }: Pick<HttpResponse, 'status' | 'headers'>,
  resume: ResumePoint | undefined,
): FileExtent | undefined => {
  const length = digits(headers['content-length']);
  const etag = headers['etag'];
  const told = {
    ...(length === undefined ? {} : { length }),
    ...(isStrongEtag(etag) ? { etag } : {}),
  };
  if (status !== 206) return { ...told, offset: 0, ...(length === undefined ? {} : { size: length }) };
  const [, first, last, total] = /^bytes (\d+)-(\d+)\/(\d+)$/u.exec(headers['content-range'] ?? '') ?? [];
  const [start, end, size] = [digits(first), digits(last), digits(total)];
  if (start === undefined || end === undefined || size === undefined) return undefined;
  if (start !== resume?.offset || end + 1 !== size || etag !== resume.etag) return undefined;
  return { ...told, offset: start, length: size - start, size };
};

/** A weak name (`W/"…"`) stands for bytes that are only much the same: nothing can be spliced by it. */
export const isStrongEtag = (etag: string | undefined): etag is string =>
  etag !== undefined && etag.length <= 1024 && /^"[!#-~]*"$/u.test(etag);

const digits = (text: string | undefined): number | undefined => {
  const value = text !== undefined && /^\d+$/u.test(text) ? Number(text) : NaN;
  return Number.isSafeInteger(value) ? value : undefined;
};
