import type { HttpResponse } from '../socket/platform.js';

/** Which bytes of a file an answer has. */
export interface FileExtent {
  readonly offset: number;
  /** Bytes of the body, where the storage told. */
  readonly length?: number;
  /** Bytes of the whole file, where the storage told. */
  readonly size?: number;
  readonly etag?: string;
}

/** The extent of an answer that has the whole file, as far as its headers tell it. */
export const wholeExtent = ({ headers }: Pick<HttpResponse, 'headers'>): FileExtent => {
  const length = digits(headers['content-length']);
  const etag = headers['etag'];
  return {
    offset: 0,
    ...(length !== undefined && { length, size: length }),
    ...(isStrongEtag(etag) && { etag }),
  };
};

/** A weak name (`W/"…"`) stands for bytes that are only much the same: nothing can be spliced by it. */
export const isStrongEtag = (etag: string | undefined): etag is string =>
  etag !== undefined && etag.length <= 1024 && /^"[!#-~]*"$/u.test(etag);

/** The number that a header writes in digits; undefined for anything else. */
export const digits = (text: string | undefined): number | undefined => {
  const value = text !== undefined && /^\d+$/u.test(text) ? Number(text) : NaN;
  return Number.isSafeInteger(value) ? value : undefined;
};
