/** The bytes that a request asks for: from the first to the last one, both included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Reads the header `Range` for a file of `size` bytes (RFC 9110, section 14).
 *
 * `whole` where the header is missing, it is of another unit, it can't be read, or it names several ranges, which a server may ignore;
 * `unsatisfiable` where it begins behind the end.
 */
export const readRange = (header: string | null, size: number): ByteRange | 'whole' | 'unsatisfiable' => {
  const [, first, last] = /^bytes=\s*(\d*)\s*-\s*(\d*)\s*$/iu.exec(header ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return 'whole';
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return 'whole';
  return start >= size ? 'unsatisfiable' : { start, end };
};

/** Passes the bytes of a range through, and ends the source after the last of them. */
export async function* bytesInRange(
  source: AsyncIterable<Uint8Array>,
  { start, end }: ByteRange,
): AsyncGenerator<Uint8Array, void> {
  let at = 0;
  for await (const chunk of source) {
    const from = Math.max(0, start - at);
    const to = Math.min(chunk.length, end + 1 - at);
    at += chunk.length;
    if (from < to) yield chunk.subarray(from, to);
    if (at > end) return;
  }
}
