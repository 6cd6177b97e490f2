/** So many blanks, `Infinity` for blanks without end, in pieces that cost nothing to make. */
export function* blanks(bytes: number): Generator<Buffer> {
  for (let left = bytes; left > 0; left -= piece.length)
    yield piece.subarray(0, Math.min(left, piece.length));
}

const piece = Buffer.alloc(64 * 1024, ' ');
