import { afterAll, expect } from 'vitest';

// Files of tests share a process: what one of them leaves on a prototype, all others find.
afterAll(() => {
  for (const prototype of [Object.prototype, Array.prototype, Function.prototype, String.prototype]) {
    expect(Object.keys(prototype)).toEqual([]);
  }
});
