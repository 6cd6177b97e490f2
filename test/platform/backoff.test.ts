import { backoff } from '../../src/core/platform/backoff.js';
import { describe, expect, it } from 'vitest';
import { randomOf } from '../simulation/random.js';

describe('backoff', () => {
  it('doubles its upper bound up to the cap', () => {
    expect([0, 1, 2, 3, 4, 5, 6, 50, 5000].map((attempt) => backoff(attempt, 1))).toEqual([
      1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000, 30_000,
    ]);
  });

  it('A11: uses the whole range below the bound', () => {
    expect([0, 0.25, 0.5].map((random) => backoff(2, random))).toEqual([0, 1000, 2000]);
  });

  it.each([
    ['soon', 0, 0.2],
    ['at the cap', 8, 0.025],
  ])('A11: brings few of ten thousand clients back in the same 100 ms, %s', (_, attempt, most) => {
    const random = randomOf(1);
    const crowd = new Map<number, number>();
    for (let client = 0; client < 10_000; client += 1) {
      const slot = Math.floor(backoff(attempt, random.next()) / 100);
      crowd.set(slot, (crowd.get(slot) ?? 0) + 1);
    }
    expect(Math.max(...crowd.values()) / 10_000).toBeLessThan(most);
  });

  it('takes base and cap', () => {
    expect(backoff(1, 1, { baseMs: 10, capMs: 15 })).toBe(15);
    expect(backoff(-3, 1, { baseMs: 10 })).toBe(10);
  });
});
