import { addLatest } from '../../../src/protocol/attribution/running-prompts.js';
import { expect, it } from 'vitest';

it('addLatest drops the oldest value beyond so many, and no other', () => {
  const values = new Set<string>();
  for (const value of ['a', 'b', 'a', 'c']) addLatest(values, value, 2);
  expect([...values]).toEqual(['b', 'c']);
});
