import { Bytes } from './bytes.js';
import { rangedReader, type RangedReader } from './source.js';
import { malformed, StopReading, truncated } from './stop-reading.js';

/** Reads a file within the limits of a search; beyond them it ends the search. */
export interface ByteReader {
  readonly size: number;
  /** Reads the header of a chunk, and counts it. As {@link peek}. */
  readonly header: (start: number, length: number) => Promise<Bytes>;
  /** Reads a few bytes; fewer where the file ends. */
  readonly peek: (start: number, length: number) => Promise<Bytes>;
  /** Reads all of a piece of metadata. */
  readonly payload: (start: number, length: number) => Promise<Bytes>;
}

/** How much of a file is read. */
export interface ReadBounds {
  readonly maxMetadataBytes: number;
  readonly maxParts: number;
}

// Bundlers keep products and sums, which a page then loads without need: these are numbers.

/**
 * Bytes that are read but are not metadata, for each part of the file and in all at least: headers, and what is read ahead in vain.
 */
const [besideOfPart, minBeside] = [16, 65_536];
/** Sum of all bytes that are read ahead of a header, because small chunks follow one another: 16 KiB. */
const maxReadAhead = 16_384;

/**
 * Counts what it reads of a source: of all pieces of metadata together at most `maxMetadataBytes`, and of at most `maxParts` parts the
 * headers. Nothing is allocated by a length that the file states: a piece ends where the file ends.
 */
export const createByteReader = (
  { size, read }: RangedReader,
  { maxMetadataBytes: maxMetadata, maxParts }: ReadBounds,
): ByteReader => {
  const maxBeside = Math.max(minBeside, maxParts * besideOfPart);
  if (!Number.isSafeInteger(size) || size < 0)
    throw new StopReading('unreadable', `The source has no valid size: ${size}.`);
  let windowStart = 0;
  let windowBytes = new Uint8Array();
  let headers = 0;
  let beside = 0;
  let metadata = 0;
  let readAhead = maxReadAhead;

  const fetch = async (start: number, end: number): Promise<Uint8Array> =>
    (await read(start, end)).subarray(0, end - start);

  const peek = async (start: number, length: number): Promise<Bytes> => {
    const end = Math.min(start + length, size);
    if (start >= end) return new Bytes(new Uint8Array());
    if (start < windowStart || end > windowStart + windowBytes.length) {
      const ahead = Math.min(Math.floor(readAhead / 4), size - end);
      beside += end - start + ahead;
      if (beside > maxBeside)
        throw tooManyParts(
          `Its parts have more than ${maxBeside} bytes of headers, too many for ${maxParts}`,
        );
      readAhead -= ahead;
      windowBytes = new Uint8Array(await fetch(start, end + ahead));
      windowStart = start;
    }
    return new Bytes(windowBytes.subarray(start - windowStart, end - windowStart));
  };

  return {
    size,
    peek,
    header: async (start, length) => {
      headers += 1;
      if (headers > maxParts) throw tooManyParts(`It has more than ${maxParts} parts`);
      return peek(start, length);
    },
    payload: async (start, length) => {
      if (length < 0) throw malformed('A part is shorter than its header');
      metadata += length;
      if (metadata > maxMetadata)
        throw new StopReading(
          'too-large',
          `Its metadata has more than ${maxMetadata} bytes, the bound of maxMetadataBytes.`,
        );
      if (start + length > size) throw truncated();
      const bytes = length === 0 ? new Uint8Array() : await fetch(start, start + length);
      if (bytes.length < length) throw truncated();
      return new Bytes(bytes);
    },
  };
};

/** A reader of bytes that were put together from pieces, which were counted as metadata already. */
export const readerOf = (bytes: Uint8Array): ByteReader =>
  createByteReader(rangedReader(bytes), { maxMetadataBytes: Infinity, maxParts: Infinity });

const tooManyParts = (what: string): StopReading =>
  new StopReading('too-many-parts', `${what}, the bound of maxParts; the search ended there.`);
