import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../src/emulator/engine/random.js';
import type { Land } from '../../../../src/emulator/engine/scene/kinds.js';
import { ridge } from '../../../../src/emulator/engine/scene/ridge.js';

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
