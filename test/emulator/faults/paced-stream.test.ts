import { type BytePace, cutIntoPieces } from '../../../src/emulator/http/paced-stream.js';
import { describe, expect, it } from 'vitest';

const bytes = Uint8Array.from({ length: 10 }, (_, at) => at);

const cut = (pace: BytePace): readonly (readonly [number, number])[] =>
  [...cutIntoPieces(bytes, pace)].map(({ piece, pauseMs }) => [piece.length, pauseMs]);

describe('cutIntoPieces', () => {
  it('leaves everything in one piece without a wish', () => {
    expect(cut({})).toEqual([[10, 0]]);
  });

  it('goes through the sizes over and over', () => {
    expect(cut({ sizes: [1, 4] })).toEqual([
      [1, 0],
      [4, 0],
      [1, 0],
      [4, 0],
    ]);
  });

  it('pauses as long as the rate has it', () => {
    expect(cut({ bytesPerSecond: 40 })).toEqual([
      [4, 100],
      [4, 100],
      [2, 50],
    ]);
    expect(cut({ bytesPerSecond: 1 })).toHaveLength(10);
    expect(cut({ bytesPerSecond: 100, sizes: [5] })).toEqual([
      [5, 50],
      [5, 50],
    ]);
  });

  it('loses no byte and changes no order', () => {
    const pieces = [...cutIntoPieces(bytes, { sizes: [3, 1] })].map(({ piece }) => piece);
    expect(Buffer.concat(pieces)).toEqual(Buffer.from(bytes));
    expect([...cutIntoPieces(new Uint8Array(0), { sizes: [3] })]).toEqual([]);
  });
});
