import { describe, expect, it } from 'vitest';
import { retryAfter } from '../../../src/protocol/errors/retry-after.js';

const now = Date.parse('Wed, 21 Oct 2026 07:28:00 GMT');

describe('retryAfter', () => {
  it.each([
    ['0', 0],
    ['3', 3000],
    [' 7 ', 7000],
    ['1.5', 1500],
    ['10.25', 10_250],
    ['1000000000', 86_400_000],
    ['Wed, 21 Oct 2026 07:28:09 GMT', 9000],
    ['Wed, 21 Oct 2026 07:27:00 GMT', 0],
    ['Fri, 21 Oct 2050 07:28:00 GMT', 86_400_000],
  ])('reads %j', (header, ms) => {
    expect(retryAfter(header, now)).toBe(ms);
  });

  it.each([
    undefined,
    '',
    '-1',
    'NaN',
    'Infinity',
    'soon',
    '1e9',
    '3 s',
    '0x10',
    '2026-10-21',
    '21 Oct 2026 07:28:09 GMT',
  ])('E8: takes %j for no hint', (header) => {
    expect(retryAfter(header, now)).toBeUndefined();
  });
});
