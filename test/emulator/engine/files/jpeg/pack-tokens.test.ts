import { describe, expect, it } from 'vitest';
import { huffmanCode } from '../../../../../src/emulator/engine/files/jpeg/huffman-code.js';
import { packTokens } from '../../../../../src/emulator/engine/files/jpeg/pack-tokens.js';

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
