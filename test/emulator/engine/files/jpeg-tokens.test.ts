import { describe, expect, it } from 'vitest';
import {
  forwardDct,
  quantisers,
  tokensOf,
  zigzag,
} from '../../../../src/emulator/engine/files/jpeg-tokens.js';
import { plainPicture, testPicture } from '../run-node.js';

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

const transform = (samples: Float32Array): Float32Array => {
  const frequencies = new Float32Array(64);
  forwardDct(samples, frequencies);
  return frequencies;
};

const energy = (values: Float32Array): number => values.reduce((sum, value) => sum + value * value, 0);

describe('forwardDct', () => {
  it('turns an even block into its first frequency alone', () => {
    const [first, ...others] = transform(new Float32Array(64).fill(10));
    expect(first).toBeCloseTo(80, 3);
    expect(Math.max(...others.map(Math.abs))).toBeLessThan(1e-4);
  });

  it('keeps the energy of a block', () => {
    const samples = Float32Array.from({ length: 64 }, (_, index) => ((index * 37) % 101) - 50);
    expect(energy(transform(samples)) / energy(samples)).toBeCloseTo(1, 5);
  });

  it('tells changes along a row from changes along a column', () => {
    const alongRow = transform(Float32Array.from({ length: 64 }, (_, index) => (index & 7) - 3.5));
    const alongColumn = transform(Float32Array.from({ length: 64 }, (_, index) => (index >> 3) - 3.5));
    expect(Math.abs(alongRow[1]!)).toBeGreaterThan(10);
    expect(Math.abs(alongRow[8]!)).toBeLessThan(1e-4);
    expect(alongColumn[8]).toBeCloseTo(alongRow[1]!, 4);
  });
});

describe('quantisers', () => {
  it.each([1, 10, 49, 50, 90, 100])('are bytes above zero at quality %i', (quality) => {
    const { luma, chroma } = quantisers(quality);
    for (const table of [luma, chroma]) {
      expect(table).toHaveLength(64);
      expect(table.every((step) => Number.isInteger(step) && step >= 1 && step <= 255)).toBe(true);
    }
  });

  it('grow with frequency and shrink with quality', () => {
    expect(quantisers(50).luma[63]).toBeGreaterThan(quantisers(50).luma[0]!);
    expect(quantisers(90).luma[20]).toBeLessThan(quantisers(50).luma[20]!);
    expect(new Set(quantisers(100).chroma)).toEqual(new Set([1]));
  });
});

describe('zigzag', () => {
  it('walks the diagonals and meets every place once', () => {
    expect(zigzag.slice(0, 10)).toEqual([0, 1, 8, 16, 9, 2, 3, 10, 17, 24]);
    expect(zigzag.at(-1)).toBe(63);
    expect(new Set(zigzag).size).toBe(64);
  });
});
