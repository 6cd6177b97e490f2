import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../src/emulator/engine/random.js';
import { fractal, valueNoise } from '../../../../src/emulator/engine/scene/noise.js';

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
