import { describe, expect, it, vi } from 'vitest';
import { fifo } from '../../src/streams/fifo.js';

describe('fifo', () => {
  it('gives values in the order in which they came', () => {
    const queue = fifo<number>();
    queue.put(1);
    queue.put(2);
    expect(queue.take()).toBe(1);
    queue.put(3);
    expect([queue.take(), queue.take()]).toEqual([2, 3]);
    expect(queue.size).toBe(0);
  });

  it('keeps order and size while it gives places back', () => {
    const queue = fifo<number>();
    let taken = 0;
    let put = 0;
    for (let round = 0; round < 50; round++) {
      for (let i = 0; i < 300; i++) queue.put(put++);
      for (let i = 0; i < 250; i++) expect(queue.take()).toBe(taken++);
      expect(queue.size).toBe(put - taken);
    }
    while (queue.size > 0) expect(queue.take()).toBe(taken++);
    expect(taken).toBe(put);
  });

  it('gives places back in bulk: a long drain copies no more than it drains', () => {
    const queue = fifo<number>();
    const n = 100_000;
    for (let i = 0; i < n; i++) queue.put(i);
    const slices = vi.spyOn(Array.prototype, 'slice');
    let copied = 0;
    for (let i = 0; i < n; i++) {
      queue.take();
      copied += slices.mock.calls.length * queue.size;
      slices.mockClear();
    }
    expect(copied).toBeGreaterThan(0);
    expect(copied).toBeLessThanOrEqual(n);
  });

  it('is empty after clear', () => {
    const queue = fifo<number>();
    queue.put(1);
    queue.put(2);
    queue.take();
    queue.clear();
    expect(queue.size).toBe(0);
    queue.put(3);
    expect(queue.take()).toBe(3);
  });
});
