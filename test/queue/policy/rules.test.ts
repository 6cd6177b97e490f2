import { defaultRules } from '../../../src/server/queue/policy/rules.js';
import { slowed } from '../../../src/core/lost/decide-match.js';
import { describe, expect, it } from 'vitest';

describe('the rules for a submission', () => {
  it.each([
    [10_000, 30_000],
    [32 * 1024, 31_000],
    [4.5 * 1024 * 1024, 174_000],
  ])('N2 give one of %d bytes %d ms to leave and be answered', (bytes, deadlineMs) => {
    expect(slowed(defaultRules, bytes)).toEqual({ ...defaultRules, deadlineMs });
  });
});
