import type { ByteReader } from '../byte-reader.js';
import { malformed, truncated } from '../stop-reading.js';

/** A box of an ISO media file (MP4, MOV, AVIF): where its content is. */
export interface Box {
  readonly type: string;
  /** The type as a number, which it is in a list of items. */
  readonly code: number;
  readonly start: number;
  readonly end: number;
}

const headerLength = 8;

/** The boxes from `from` to `limit`; one that ends beyond it is the last, and afterwards the file counts as truncated. */
export async function* boxesIn(reader: ByteReader, from: number, limit: number): AsyncGenerator<Box, void> {
  for (let at = from; at + headerLength <= limit;) {
    const header = await reader.header(at, headerLength);
    const size = header.u32(0);
    const isLarge = size === 1;
    const start = at + headerLength + (isLarge ? 8 : 0);
    const end = isLarge
      ? at + (await reader.peek(at + headerLength, 8)).u64(0)
      : size === 0
        ? limit
        : at + size;
    if (end < start) throw malformed('A box is shorter than its header');
    yield { type: header.latin1(4, 8), code: header.u32(4), start, end: Math.min(end, limit) };
    if (end > limit) throw truncated();
    at = end;
  }
}

/** The first box of a type. */
export const findBox = async (
  reader: ByteReader,
  { start, end }: Pick<Box, 'start' | 'end'>,
  type: string,
): Promise<Box | undefined> => {
  for await (const box of boxesIn(reader, start, end)) if (box.type === type) return box;
  return undefined;
};
