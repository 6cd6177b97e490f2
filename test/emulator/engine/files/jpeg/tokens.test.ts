import { describe, expect, it } from 'vitest';
import { quantisers } from '../../../../../src/emulator/engine/files/jpeg/quantisers.js';
import { tokensOf } from '../../../../../src/emulator/engine/files/jpeg/tokens.js';
import { plainPicture, testPicture } from '../../run-node.js';

const best = quantisers(100);
const parts = (token: number) => ({ isDc: (token & 256) !== 0, symbol: token & 255, value: token >> 9 });

describe('tokensOf', () => {
  it('tells of an even block by its brightness and two empty differences', () => {
    const { list } = tokensOf(plainPicture(8, 8, [129, 129, 129]), best);
    expect(list.map(parts)).toEqual([
      { isDc: true, symbol: 4, value: 8 },
      { isDc: false, symbol: 0, value: 0 },
      { isDc: true, symbol: 0, value: 0 },
      { isDc: false, symbol: 0, value: 0 },
      { isDc: true, symbol: 0, value: 0 },
      { isDc: false, symbol: 0, value: 0 },
    ]);
  });

  it('writes negative levels as one less, and only the change from block to block', () => {
    const { list } = tokensOf(plainPicture(16, 8, [127, 127, 127]), best);
    const brightness = list.map(parts).filter(({ isDc }) => isDc);
    expect(brightness[0]).toEqual({ isDc: true, symbol: 4, value: 7 });
    expect(brightness[3]).toEqual({ isDc: true, symbol: 0, value: 0 });
  });

  it('counts what it lists', () => {
    const { list, dcCounts, acCounts } = tokensOf(testPicture(20, 13), best);
    const sum = (counts: Uint32Array): number => counts.reduce((total, count) => total + count, 0);
    expect(sum(dcCounts)).toBe(3 * 2 * 3);
    expect(sum(dcCounts) + sum(acCounts)).toBe(list.length);
  });

  it('skips sixteen empty frequencies at a time', () => {
    const wave = (at: number): number => Math.cos(((2 * at + 1) * 7 * Math.PI) / 16);
    const rgb = Uint8Array.from({ length: 192 }, (_, index) => {
      const pixel = Math.floor(index / 3);
      return Math.round(128 + 100 * wave(pixel & 7) * wave(pixel >> 3));
    });
    const { acCounts } = tokensOf({ width: 8, height: 8, rgb }, quantisers(75));
    // 62 empty ones before the last: three times sixteen, then fourteen and a level of nine bits or fewer.
    expect(acCounts[0xf0]).toBe(3);
    expect(acCounts.findIndex((count, symbol) => count > 0 && symbol >> 4 === 14)).toBeGreaterThan(0);
  });
});
