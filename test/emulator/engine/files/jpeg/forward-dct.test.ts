import { describe, expect, it } from 'vitest';
import { forwardDct } from '../../../../../src/emulator/engine/files/jpeg/forward-dct.js';

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
