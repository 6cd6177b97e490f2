import { acceptedIds } from '../../src/client/jobs/accepted-ids.js';
import { describe, expect, it } from 'vitest';

describe('acceptedIds', () => {
  it('takes each id once', () => {
    const ids = acceptedIds();
    expect(['a', 'b', 'a', 'b', 'c'].map(ids.add)).toEqual([true, true, false, false, true]);
  });

  it('forgets the oldest beyond 1,000', () => {
    const ids = acceptedIds();
    for (let n = 0; n <= 1_000; n += 1) expect(ids.add(String(n))).toBe(true);
    expect(ids.add('1')).toBe(false);
    expect(ids.add('0')).toBe(true);
  });
});
