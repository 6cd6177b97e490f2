import { describe, expect, it } from 'vitest';
import { chunked } from '../../../src/server/gateway/streams/encoding.js';

const piece = (size: number, fill: number): Uint8Array => new Uint8Array(size).fill(fill);
const large = 16_384;

describe('the chunks of a stream', () => {
  it('join small pieces that follow each other, and keep all bytes in their order', () => {
    const pieces = [piece(1, 1), piece(large - 1, 2), piece(large, 3), piece(2, 4), piece(3, 5)];
    const chunks = chunked(pieces);
    expect(chunks.map(({ length }) => length)).toEqual([large, large, 5]);
    expect(Buffer.concat(chunks).equals(Buffer.concat(pieces))).toBe(true);
  });

  it('share a large piece, and a small one that stands alone, with other readers', () => {
    const [one, big, other] = [piece(5, 1), piece(large, 2), piece(7, 3)];
    const chunks = chunked([one, big, big, other]);
    expect(chunks).toHaveLength(4);
    expect([one, big, big, other].every((each, at) => chunks[at] === each)).toBe(true);
    expect(chunked([])).toEqual([]);
  });
});
