import { createPythonHeap } from '../../../src/emulator/local/python.js';
import { describe, expect, it } from 'vitest';

const heapOf = (...numbers: readonly number[]) => {
  const heap = createPythonHeap<number>((a, b) => {
    if (a === b) throw new Error('equal');
    return a < b;
  });
  for (const number of numbers) heap.push(number);
  return heap;
};

const drain = (heap: ReturnType<typeof heapOf>): readonly number[] => {
  const popped: number[] = [];
  for (let next = heap.pop(); next !== undefined; next = heap.pop()) popped.push(next);
  return popped;
};

describe('createPythonHeap', () => {
  it('pops in order, whatever order came in', () => {
    expect(drain(heapOf(5, 3, 9, -1, 7, 4, 8, 0))).toEqual([-1, 0, 3, 4, 5, 7, 8, 9]);
  });

  it('lies in heap order and not in order', () => {
    expect(heapOf(13, -14, -77.5).items).toEqual([-77.5, 13, -14]);
  });

  it('keeps an item that can not be compared at its end', () => {
    const heap = heapOf(1);
    expect(() => heap.push(1)).toThrow('equal');
    expect(heap.items).toEqual([1, 1]);
  });

  it('removes one item that matches and stays a heap', () => {
    const heap = heapOf(5, 3, 9, -1, 7, 4);
    expect(heap.remove((item) => item === 3)).toBe(true);
    expect(heap.remove((item) => item === 3)).toBe(false);
    expect(drain(heap)).toEqual([-1, 4, 5, 7, 9]);
  });

  it('forgets everything at once', () => {
    const heap = heapOf(1, 2);
    heap.clear();
    expect(heap.pop()).toBeUndefined();
  });
});
