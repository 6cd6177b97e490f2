import { describe, expect, it } from 'vitest';
import { hashText, seededRandom } from '../../../src/emulator/engine/random.js';

const numbers = (seed: bigint, stream?: string): readonly number[] => {
  const random = seededRandom(seed, stream);
  return Array.from({ length: 8 }, () => random());
};

describe('seededRandom', () => {
  it('repeats itself for one seed and stream', () => {
    expect(numbers(42n, 'a')).toEqual(numbers(42n, 'a'));
  });

  it.each([0n, 1n, 31n, 32n, 52n, 53n, 63n])('counts bit %i of the seed', (place) => {
    expect(numbers(1n << place)).not.toEqual(numbers(0n));
  });

  it('keeps streams of one seed apart', () => {
    expect(numbers(42n, 'a')).not.toEqual(numbers(42n, 'b'));
  });

  it('takes the largest seed, and only 64 bits of a larger one', () => {
    expect(numbers(18_446_744_073_709_551_615n)).not.toEqual(numbers(18_446_744_073_709_551_614n));
    expect(numbers(1n << 64n)).toEqual(numbers(0n));
  });

  it('stays within [0, 1) and fills it evenly', () => {
    const random = seededRandom(7n);
    const counts = new Array<number>(10).fill(0);
    for (let draw = 0; draw < 10_000; draw += 1) counts[Math.floor(random() * 10)]! += 1;
    expect(counts.every((count) => count > 850 && count < 1150)).toBe(true);
    expect(counts.reduce((sum, count) => sum + count)).toBe(10_000);
  });
});

describe('hashText', () => {
  it.each([
    ['', 0xcbf29ce484222325n],
    ['a', 0xaf63dc4c8601ec8cn],
    ['foobar', 0x85944171f73967e8n],
  ])('gives the published FNV-1a value of %j', (text, hash) => {
    expect(hashText(text)).toBe(hash);
  });
});
