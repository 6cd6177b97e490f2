import { describe, expect, it } from 'vitest';
import { sampleOf } from './sample-of.js';

const hundred = Array.from({ length: 100 }, (_, at) => at);

describe('sampleOf', () => {
  it('takes as many as are asked for, in their order, and the same ones for the same seed', () => {
    const sample = sampleOf(hundred, 8, 'a module');

    expect(sample).toHaveLength(8);
    expect(sample).toEqual([...new Set(sample)].toSorted((one, other) => one - other));
    expect(sampleOf(hundred, 8, 'a module')).toEqual(sample);
    expect(sampleOf(hundred, 8, 'another module')).not.toEqual(sample);
  });

  it('takes all where there are no more', () => {
    expect(sampleOf(hundred, 100, 'a module')).toEqual(hundred);
    expect(sampleOf(hundred, Infinity, 'a module')).toEqual(hundred);
  });
});
