import { decodePicture } from '../../../../src/emulator/engine/files/decode-picture.js';
import { describe, expect, it } from 'vitest';
import { encodeJpeg, huffmanCode, packTokens } from '../../../../src/emulator/engine/files/jpeg.js';
import { meanDifference, plainPicture, testPicture } from '../run-node.js';

describe('encodeJpeg', () => {
  it('writes a JPEG of the same size and nearly the same colour', () => {
    const picture = plainPicture(24, 17, [200, 90, 30]);
    const bytes = encodeJpeg(picture);
    expect([...bytes.subarray(0, 3)]).toEqual([0xff, 0xd8, 0xff]);
    const decoded = decodePicture(bytes)!;
    expect([decoded.width, decoded.height]).toEqual([24, 17]);
    expect(meanDifference(decoded, picture)).toBeLessThan(3);
  });

  it('is smaller at lower quality', () => {
    const picture = testPicture(64, 64);
    expect(encodeJpeg(picture, { quality: 20 }).length).toBeLessThan(
      encodeJpeg(picture, { quality: 95 }).length,
    );
  });

  it.each([
    [1, 1],
    [8, 8],
    [17, 3],
    [30, 41],
  ])('gives back %i × %i within a level at the best quality', (width, height) => {
    const picture = testPicture(width, height);
    const decoded = decodePicture(encodeJpeg(picture, { quality: 100 }))!;
    expect([decoded.width, decoded.height]).toEqual([width, height]);
    expect(meanDifference(decoded, picture)).toBeLessThan(1);
  });

  it('gives the same bytes for the same picture', () => {
    expect(encodeJpeg(testPicture(20, 20))).toEqual(encodeJpeg(testPicture(20, 20)));
  });
});

const counts = new Uint32Array(256);
counts[8] = 1; // a single symbol, so its code is one zero bit; eight bits of value follow
const code = huffmanCode(counts);

const token = (value: number, isDc = false): number => (value << 9) | (isDc ? 256 : 0) | 8;

describe('packTokens', () => {
  it('writes code and value, and ends with ones', () => {
    expect([...packTokens([token(0b1010_1010)], { dc: code, ac: code })]).toEqual([0b0101_0101, 0b0111_1111]);
  });

  it('follows a byte of ones by an empty one', () => {
    const bytes = packTokens([token(0b1111_1111), token(0b1111_1111)], { dc: code, ac: code });
    expect([...bytes]).toEqual([0b0111_1111, 0b1011_1111, 0b1111_1111, 0]);
  });

  it('takes the code of the token’s kind', () => {
    const two = new Uint32Array(256);
    two[8] = 1;
    two[9] = 5;
    const dc = huffmanCode(two); // 9 is 0, 8 is 10
    expect([...packTokens([token(0, true)], { dc, ac: code })]).toEqual([0b1000_0000, 0b0011_1111]);
  });

  it('writes nothing for nothing', () => {
    expect(packTokens([], { dc: code, ac: code })).toHaveLength(0);
  });
});

const codeOf = (counts: Readonly<Record<number, number>>) => {
  const table = new Uint32Array(256);
  for (const [symbol, count] of Object.entries(counts)) table[Number(symbol)] = count;
  return huffmanCode(table);
};

const wordsOf = ({ symbols, codes, lengths }: ReturnType<typeof codeOf>): readonly string[] =>
  symbols.map((symbol) => codes[symbol]!.toString(2).padStart(lengths[symbol]!, '0'));

const fibonacci = (): Record<number, number> => {
  const counts: Record<number, number> = {};
  for (let symbol = 0, a = 1, b = 1; symbol < 40; symbol += 1, [a, b] = [b, a + b]) counts[symbol] = a;
  return counts;
};

describe('huffmanCode', () => {
  it.each<[string, Readonly<Record<number, number>>]>([
    ['one symbol', { 7: 3 }],
    ['two symbols', { 0: 1, 255: 9 }],
    ['even counts', Object.fromEntries(Array.from({ length: 256 }, (_, symbol) => [symbol, 1]))],
    ['counts that would lead to 40 bits', fibonacci()],
  ])('makes a code that a decoder can read for %s', (_, counts) => {
    const code = codeOf(counts);
    const words = wordsOf(code);
    expect(code.symbols.toSorted((a, b) => a - b)).toEqual(Object.keys(counts).map(Number));
    for (const [index, word] of words.entries()) {
      expect(word.length).toBeGreaterThanOrEqual(1);
      expect(word.length).toBeLessThanOrEqual(16);
      expect(word).toContain('0');
      expect(words.some((other, place) => place !== index && other.startsWith(word))).toBe(false);
    }
  });

  it('gives frequent symbols short codes', () => {
    const { lengths } = codeOf({ 1: 100, 2: 10, 3: 9, 4: 1 });
    expect([1, 2, 3, 4, 5].map((symbol) => lengths[symbol])).toEqual([1, 2, 3, 4, 0]);
  });

  it('has no code for nothing', () => {
    expect(codeOf({}).symbols).toEqual([]);
  });
});
