import { describe, expect, it } from 'vitest';
import { failsCheck, verdict } from '../../../benchmarks/report/verdict.js';
import type { Row } from '../../../benchmarks/row.js';

const base: Row = { what: 'it', unit: 'ms' };

describe('verdict', () => {
  it.each<[string, Partial<Row>, string]>([
    ['at least, reached', { ours: 1, ratio: 0.9, target: { atLeast: 0.9 } }, 'met'],
    ['at least, missed', { ours: 1, ratio: 0.89, target: { atLeast: 0.9 } }, 'MISSED'],
    ['at most, reached', { ours: 9, ratio: 1.2, target: { atMost: 1.2 } }, 'met'],
    ['at most, missed', { ours: 0.1, ratio: 1.21, target: { atMost: 1.2 } }, 'MISSED'],
    ['a figure that stands for itself', { ours: 25, target: { atMost: 24 } }, 'MISSED'],
    ['no figure', { ours: NaN, target: { atMost: 24 } }, 'MISSED'],
    ['no target', { ours: 25, ratio: 2 }, ''],
    [
      'not measured',
      { note: 'not measured: no registry', target: { atMost: 1 } },
      'not measured: no registry',
    ],
  ])('%s', (_, row, expected) => {
    expect(verdict({ ...base, ...row })).toBe(expected);
    expect(failsCheck({ ...base, ...row })).toBe(expected === 'MISSED');
  });
});
