import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { durations } from '../../src/core/estimate/durations.js';
import { runs } from '../helpers/runs.js';

describe('durations', () => {
  it('has the mean of the last few, and how far they were off', () => {
    const known = durations();
    for (const ms of [100, 200, 150]) known.add('a', ms);
    expect(known.get('a')).toMatchObject({ ms: 150, count: 3 });
    for (let nth = 0; nth < 50; nth += 1) known.add('a', 1_000);
    expect(known.get('a')!.ms).toBeGreaterThan(990);
    expect(known.get('a')!.spread).toBeLessThan(0.01);
    expect(known.get('b')).toBeUndefined();
  });

  it('replaces a first one that was of another sort', () => {
    const known = durations();
    known.add('load', 9_000);
    known.add('load', 300, { replaces: true });
    expect(known.get('load')).toMatchObject({ ms: 300, count: 2 });
  });

  it('keeps a thousand, those that were measured last', () => {
    const known = durations();
    for (let nth = 0; nth < 1_000; nth += 1) known.add(`${nth}`, nth);
    known.add('0', 0);
    known.add('new', 1);
    expect(known.get('0')).toBeDefined();
    expect(known.get('1')).toBeUndefined();
    expect(Object.keys(JSON.parse(known.text()) as object)).toHaveLength(1_000);
  });

  it('law: what it writes it reads, to four digits', () => {
    const measured = fc.array(fc.tuple(fc.string(), fc.integer({ min: 0, max: 1e7 })), { maxLength: 50 });
    fc.assert(
      fc.property(measured, (all) => {
        const [one, other] = [durations(), durations()];
        for (const [key, ms] of all) one.add(key, ms);
        other.restore(one.text());
        expect(other.text()).toBe(one.text());
      }),
      { numRuns: runs(200) },
    );
  });

  it('law: no text makes it throw, or hold what is no duration', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        const known = durations();
        known.restore(text);
        for (const value of Object.values(JSON.parse(known.text()) as object))
          expect(value).toEqual([expect.any(Number), expect.any(Number), expect.any(Number)]);
      }),
      { numRuns: runs(200) },
    );
    const known = durations();
    known.restore('{"a": [1, 0], "b": ["1", 0, 1], "c": [1, 0, 1], "d": [-1, 0, 1], "e": null}');
    expect(known.text()).toBe('{"c":[1,0,1]}');
    known.restore(undefined);
    expect(known.text()).toBe('{"c":[1,0,1]}');
  });

  it('keeps what it has measured itself against an older text', () => {
    const known = durations();
    known.add('a', 5);
    known.restore('{"a": [900, 0, 3], "b": [7, 0, 1]}');
    expect(known.get('a')).toMatchObject({ ms: 5 });
    expect(known.get('b')).toMatchObject({ ms: 7 });
  });
});
