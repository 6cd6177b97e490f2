import { describe, expect, it } from 'vitest';
import { onePlace } from '../../src/streams/one-place.js';

describe('onePlace', () => {
  it('gives what was put into it last, once', () => {
    const queue = onePlace<string | undefined>();
    expect(queue.size).toBe(0);
    queue.put('a');
    queue.put('b');
    expect(queue.size).toBe(1);
    expect(queue.take()).toBe('b');
    expect(queue.size).toBe(0);
    queue.put(undefined);
    expect(queue.size).toBe(1);
  });

  it('forgets what waits', () => {
    const queue = onePlace<string>();
    queue.put('a');
    queue.clear();
    expect(queue.size).toBe(0);
    queue.put('b');
    expect(queue.take()).toBe('b');
  });
});
