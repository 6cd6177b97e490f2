import { describe, expect, it } from 'vitest';
import { boundedQueue } from '../../src/interop/bounded-queue.js';

describe('boundedQueue', () => {
  it("throws Overflow with 'error' and keeps what it has", () => {
    const queue = boundedQueue<number>(2, 'error');
    queue.put(1);
    queue.put(2);
    expect(() => queue.put(3)).toThrow(expect.objectContaining({ _tag: 'Overflow', capacity: 2 }));
    expect([queue.size, queue.take(), queue.take()]).toEqual([2, 1, 2]);
  });

  it("loses the oldest with 'drop-oldest'", () => {
    const queue = boundedQueue<number>(2, 'drop-oldest');
    for (const value of [1, 2, 3, 4]) queue.put(value);
    expect([queue.size, queue.take(), queue.take()]).toEqual([2, 3, 4]);
  });

  it("keeps the newest with 'latest'", () => {
    const queue = boundedQueue<number>(2, 'latest');
    for (const value of [1, 2, 3, 4]) queue.put(value);
    expect([queue.size, queue.take()]).toEqual([1, 4]);
  });

  it.each([['error'], ['drop-oldest'], ['latest']] as const)(
    'takes any capacity from 1 up with %s',
    (overflow) => {
      for (const capacity of [1, 1.5, Number.POSITIVE_INFINITY]) {
        const queue = boundedQueue<number>(capacity, overflow);
        queue.put(1);
        expect(queue.size).toBe(1);
      }
      for (const capacity of [0, 0.5, -1, Number.NaN]) {
        expect(() => boundedQueue(capacity, overflow)).toThrow(
          expect.objectContaining({ _tag: 'InvalidConfig' }),
        );
      }
    },
  );

  it('is empty after clear', () => {
    const queue = boundedQueue<number>(2, 'error');
    queue.put(1);
    queue.clear();
    expect(queue.size).toBe(0);
  });
});
