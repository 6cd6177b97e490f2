import { expect, it } from 'vitest';
import { newEpoch } from '../../src/server/joblog/new-epoch.js';

it('names a log by 48 random bits, so that no other log has its positions', () => {
  const names = Array.from({ length: 100 }, newEpoch);
  expect(names.filter((name) => !/^[\da-f]{12}$/u.test(name))).toEqual([]);
  expect(new Set(names).size).toBe(100);
});
