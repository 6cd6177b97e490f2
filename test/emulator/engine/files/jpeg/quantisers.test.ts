import { describe, expect, it } from 'vitest';
import { quantisers, zigzag } from '../../../../../src/emulator/engine/files/jpeg/quantisers.js';

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
