import { describe, expect, it } from 'vitest';
import { NodeFailure } from '../../../src/emulator/engine/node-class.js';
import { isImages, read } from '../../../src/emulator/engine/read.js';
import { testPicture } from './run-node.js';

const failure = (read: () => unknown): string => {
  try {
    read();
  } catch (error) {
    if (error instanceof NodeFailure) return `${error.exceptionType}: ${error.message}`;
  }
  return 'no failure';
};

describe('read', () => {
  it('coerces literals as validation does', () => {
    expect(read.number({ steps: '20' }, 'steps')).toBe(20);
    expect(read.text({ text: 5 }, 'text')).toBe('5');
    expect(read.flag({ on: 'false' }, 'on')).toBe(true);
  });

  it('takes a fallback for what is absent or null', () => {
    expect([read.number({}, 'a', 3), read.text({ a: null }, 'a', 'x'), read.flag({}, 'a', true)]).toEqual([
      3,
      'x',
      true,
    ]);
  });

  it('names what is missing', () => {
    expect(failure(() => read.number({}, 'steps'))).toBe("KeyError: 'steps'");
    expect(failure(() => read.images({}, '__proto__'))).toBe("KeyError: '__proto__'");
  });

  it.each([
    ['number', () => read.number({ a: 'x' }, 'a')],
    ['STRING', () => read.text({ a: {} }, 'a')],
    ['INT', () => read.seed({ a: 'x' }, 'a')],
    ['IMAGE', () => read.images({ a: [] }, 'a')],
    ['MASK', () => read.mask({ a: 1 }, 'a')],
    ['LATENT', () => read.latent({ a: { kind: 'MASK' } }, 'a')],
    ['CONDITIONING', () => read.conditioning({ a: 'text' }, 'a')],
    ['AUDIO', () => read.audio({ a: [] }, 'a')],
    ['VAE', () => read.part({ a: { kind: 'CLIP', checkpoint: 'c' } }, 'a', 'VAE')],
  ])('refuses what is no %s', (kind, run) => {
    expect(failure(run)).toBe(`TypeError: input 'a' is not a ${kind}`);
  });

  it.each([
    [7, 7n],
    ['18446744073709551615', 18_446_744_073_709_551_615n],
    [2 ** 63, 1n << 63n],
    [2 ** 64, 18_446_744_073_709_551_615n],
    [12.9, 12n],
    [-1, 18_446_744_073_709_551_615n],
    [5n, 5n],
  ])('reads the seed %s as %s', (value, seed) => {
    expect(read.seed({ seed: value }, 'seed')).toBe(seed);
  });

  it('reads a dynamic input nested and flat', () => {
    expect(read.group({ 'images.image0': 1, 'images.image1': 2, other: 3 }, 'images')).toEqual({
      image0: 1,
      image1: 2,
    });
    expect(read.group({ images: { image0: 1 } }, 'images')).toEqual({ image0: 1 });
    expect(read.group({}, 'images')).toEqual({});
  });
});

describe('isImages', () => {
  it('knows a batch of pictures', () => {
    expect([[testPicture(1, 1)], [], [1], testPicture(1, 1), 'x'].map(isImages)).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});
