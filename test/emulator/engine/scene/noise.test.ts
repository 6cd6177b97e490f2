import { describe, expect, it } from 'vitest';
import { fractal, ridge, valueNoise } from '../../../../src/emulator/engine/scene/noise.js';
import type { Land } from '../../../../src/emulator/engine/scene/colour.js';
import { seededRandom } from '../../../../src/emulator/engine/random.js';

const points = Array.from({ length: 400 }, (_, index) => [index * 0.37 - 40, index * 0.11] as const);

describe('valueNoise', () => {
  it('repeats itself for one seed and differs for another', () => {
    const field = (seed: bigint) => {
      const noise = valueNoise(seededRandom(seed));
      return points.map(([x, y]) => noise(x, y));
    };
    expect(field(1n)).toEqual(field(1n));
    expect(field(1n)).not.toEqual(field(2n));
  });

  it('stays within 0 and 1, negative places included', () => {
    const noise = fractal(valueNoise(seededRandom(3n)), 5);
    expect(points.every(([x, y]) => noise(x, y) >= 0 && noise(x, y) <= 1)).toBe(true);
  });

  it('is smooth: near places have near values', () => {
    const noise = valueNoise(seededRandom(3n));
    expect(points.every(([x, y]) => Math.abs(noise(x, y) - noise(x + 0.001, y)) < 0.01)).toBe(true);
  });
});

describe('fractal', () => {
  it('adds nothing with one octave', () => {
    const noise = valueNoise(seededRandom(3n));
    expect(points.map(([x, y]) => fractal(noise, 1)(x, y))).toEqual(points.map(([x, y]) => noise(x, y)));
  });
});

const lands: readonly Land[] = ['hills', 'mountains', 'forest', 'ocean', 'city', 'desert', 'snow'];

const profile = (land: Land, near: number, seed = 5n): readonly number[] => {
  const height = ridge(land, near, seededRandom(seed));
  return Array.from({ length: 300 }, (_, index) => height(index / 100));
};

describe('ridge', () => {
  it.each(lands)('keeps %s between the ground and half the picture', (land) => {
    for (const height of [...profile(land, 0), ...profile(land, 1)]) {
      expect(height).toBeGreaterThanOrEqual(0);
      expect(height).toBeLessThan(0.55);
    }
  });

  it.each(lands)('repeats %s for one seed and changes it for another', (land) => {
    expect(profile(land, 0)).toEqual(profile(land, 0));
    expect(profile(land, 0)).not.toEqual(profile(land, 0, 6n));
  });

  it('has flat roofs in a town', () => {
    const heights = profile('city', 1);
    expect(new Set(heights).size).toBeLessThan(heights.length / 5);
  });
});
