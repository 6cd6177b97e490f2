import { boundedQueue } from '../../src/core/interop/bounded-queue.js';
import { describe, expect, it, vi } from 'vitest';
import { executing, preview, start, success } from '../helpers/frames.js';
import type { Frame } from '../../src/core/protocol/frames/frame.js';

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

const takeAll = <A>(queue: { readonly size: number; readonly take: () => A }): A[] => {
  const all: A[] = [];
  while (queue.size > 0) all.push(queue.take());
  return all;
};

const old = preview('a', '5', [1]);
const young = preview('a', '5', [2]);
const other = preview('a', '6', [1]);

describe("boundedQueue with 'latest'", () => {
  it('I-1: lets a newer value take the place of the older one, at the end', () => {
    const queue = boundedQueue<Frame>(10, 'latest');
    for (const frame of [start('a'), old, other, executing('a', '5'), young]) queue.put(frame);
    expect(queue.size).toBe(4);
    expect(takeAll(queue)).toEqual([start('a'), other, executing('a', '5'), young]);
  });

  it('goes on after it was emptied, value by value or at once', () => {
    const queue = boundedQueue<Frame>(10, 'latest');
    queue.put(old);
    expect(takeAll(queue)).toEqual([old]);
    queue.put(young);
    queue.clear();
    expect(queue.size).toBe(0);
    queue.put(other);
    queue.put(young);
    expect(queue.take()).toBe(other);
    queue.put(other);
    expect(takeAll(queue)).toEqual([young, other]);
  });

  it('makes room by dropping the oldest value that may be replaced', () => {
    const queue = boundedQueue<Frame>(3, 'latest');
    for (const frame of [start('a'), old, other, success('a')]) queue.put(frame);
    expect(takeAll(queue)).toEqual([start('a'), other, success('a')]);
  });

  it('needs no room for a value that replaces one', () => {
    const queue = boundedQueue<Frame>(2, 'latest');
    for (const frame of [start('a'), old, young]) queue.put(frame);
    expect(takeAll(queue)).toEqual([start('a'), young]);
  });

  it('throws Overflow where every value counts, and keeps what it has', () => {
    const queue = boundedQueue<Frame>(2, 'latest');
    queue.put(start('a'));
    queue.put(start('b'));
    for (const frame of [success('a'), old]) {
      expect(() => queue.put(frame)).toThrow(expect.objectContaining({ _tag: 'Overflow', capacity: 2 }));
    }
    expect(takeAll(queue)).toEqual([start('a'), start('b')]);
  });

  it.each([['error'], ['drop-oldest'], ['latest']] as const)(
    'keeps order and size in a long run of puts and takes with %s',
    (overflow) => {
      const queue = boundedQueue<Frame>(1_000_000, overflow);
      let put = 0;
      let taken = 0;
      const take = () => expect(queue.take()).toMatchObject({ promptId: String(taken++) });
      for (let round = 0; round < 20; round++) {
        for (let i = 0; i < 300; i++) queue.put(start(String(put++)));
        for (let i = 0; i < 250; i++) take();
        expect(queue.size).toBe(put - taken);
      }
      while (queue.size > 0) take();
      expect(taken).toBe(put);
    },
  );

  it('drains in steps that do not grow with what was drained before', () => {
    const queue = boundedQueue<Frame>(Number.POSITIVE_INFINITY, 'latest');
    const n = 50_000;
    for (let i = 0; i < n; i++) queue.put(preview('a', String(i)));
    const iterators = vi.spyOn(Map.prototype, 'entries');
    expect(takeAll(queue)).toHaveLength(n);
    // The drain goes on with the iterator that it has and asks for a fresh one at its end.
    expect(iterators).toHaveBeenCalledTimes(1);
  });
});
