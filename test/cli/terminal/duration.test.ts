import { describe, expect, it } from 'vitest';
import { duration } from '../../../src/cli/terminal/duration.js';

describe('duration', () => {
  it.each([
    [-5, '0.0 s'],
    [0, '0.0 s'],
    [420, '0.4 s'],
    [9_949, '9.9 s'],
    [9_950, '10 s'],
    [59_499, '59 s'],
    [59_500, '1:00'],
    [187_000, '3:07'],
    [3_729_000, '1:02:09'],
  ])('of %i ms is %s', (ms, text) => {
    expect(duration(ms)).toBe(text);
  });
});
